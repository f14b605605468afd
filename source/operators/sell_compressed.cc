#include <tessera/base/error.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/sell_compressed.h>

#include <algorithm>
#include <sstream>

#include "round_values.cuh"
#include "sell_kernels.h"

namespace tessera
{
  namespace
  {
    /// Returns whether float holds all of them.
    bool
    round_values(const Array<double> &from, Array<float> &to,
                 Array<unsigned int> &beyond, const Stream stream)
    {
      const auto n = static_cast<std::int64_t>(to.size());
      if (to.backend() == Backend::cuda)
        {
          beyond.zero(stream);
          round_values_on_device(from.data(), to.data(), n, beyond.data(),
                                 stream);
          runtime::synchronize(stream);
          return beyond.to_vector()[0] == 0;
        }
      const double *const values = from.data();
      float *const rounded       = to.data();
      int n_beyond               = 0;
#pragma omp parallel for schedule(static) reduction(| : n_beyond)
      for (std::int64_t i = 0; i < n; ++i)
        {
          rounded[i] = static_cast<float>(values[i]);
          n_beyond |= is_beyond_float(values[i]);
        }
      return n_beyond == 0;
    }
    PackedColumns::View
    view_of(const PackedColumns &columns, const int *)
    {
      return columns.view();
    }

    ShortColumns::View
    view_of(const ShortColumns &columns, const int *const of_matrix)
    {
      return columns.view(of_matrix);
    }
  } // namespace

  SliceValues
  slice_values(const StorageOptions &options)
  {
    return slice_values_from_string(
      slice_values_options().options[0].value(options));
  }

  template <class Number, class Columns>
  SellCompressed<Number, Columns>::SellCompressed(SellMatrix<Number> matrix,
                                                  const int n_tail,
                                                  const SliceValues values)
    : Sell<Number>(std::move(matrix), n_tail, {},
                   std::is_same_v<Columns, PackedColumns> ? "sell_packed"
                                                          : "sell_short"),
      fewer(this->backend(), this->matrix().slices(), this->matrix().columns(),
            static_cast<std::int64_t>(this->matrix().values().size())),
      stored_as(values)
  {
    require_single_entries(this->matrix().blocks().size);
    if (!rounds())
      return;
    rounded = {this->backend(), this->matrix().values().size()};
    beyond  = {this->backend(), 1};
    values_changed();
  }

  template <class Number, class Columns>
  void
  SellCompressed<Number, Columns>::values_changed(const Stream stream)
  {
    if constexpr (std::is_same_v<Number, double>)
      {
        const SellMatrix<double> &A = this->matrix();
        if (!rounds() || round_values(A.values(), rounded, beyond, stream))
          return;
        const std::vector<double> all = A.values().to_vector();
        std::ostringstream sentence;
        sentence << "The matrix has the value "
                 << *std::find_if(all.begin(), all.end(), is_beyond_float)
                 << ", which is beyond the largest float, " << FLT_MAX
                 << "; with it the values of slices cannot be float.";
        throw MatrixError(sentence.str());
      }
  }

  template <class Number, class Columns>
  Precision
  SellCompressed<Number, Columns>::precision() const
  {
    return rounds() ? precision_of<float>() : precision_of<Number>();
  }

  template <class Number, class Columns>
  Traffic
  SellCompressed<Number, Columns>::traffic() const
  {
    const SellMatrix<Number> &A = this->matrix();
    const std::size_t value     = rounds() ? sizeof(float) : sizeof(Number);
    const std::size_t index     = A.index_bytes() + fewer.bytes();
    return {2 * sizeof(Number) * A.n_rows() + A.n_nonzeros() * value + index,
            A.values().size() * value + index};
  }

  template <class Number, class Columns>
  void
  SellCompressed<Number, Columns>::launch_apply(const RowApply<Number> &apply,
                                                const Stream stream) const
  {
    const SellMatrix<Number> &A = this->matrix();
    on_target(A.backend(), [&](const auto target) {
      const auto multiply = [&](const auto *values) {
        using Value =
          std::remove_const_t<std::remove_pointer_t<decltype(values)>>;
        apply_sell(target,
                   SellApply<Number, typename Columns::View, Value>{
                     apply, A.slices(), A.most_log2_threads(),
                     view_of(fewer, A.columns()), values,
                     this->n_owned() + this->n_tail() - 1,
                     has_many<typename Columns::View>(A)},
                   stream);
      };
      if (rounds())
        multiply(rounded.data());
      else
        multiply(A.values().data());
    });
  }

  template class SellCompressed<double, PackedColumns>;
  template class SellCompressed<float, PackedColumns>;
  template class SellCompressed<double, ShortColumns>;
  template class SellCompressed<float, ShortColumns>;

  const OptionSet &
  slice_values_options()
  {
    static const OptionSet set = {
      {{"Slice values",
        "what products read of the matrix, of the type Number or 4 bytes; "
        "vectors, sums and everything else keep the type Number",
        to_string(SliceValues::number),
        {to_string(SliceValues::number),
         to_string(SliceValues::single_float)}}}};
    return set;
  }

  namespace
  {
    template <class Columns>
    OperatorDescriptor
    describe_compressed(const std::string &name, const std::string &sentence)
    {
      OperatorDescriptor d{
        name,
        sentence,
        "WongKuhlDarve2015, section 4, and Tessera",
        {&slice_options(), &slice_width_options(), &slice_values_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        return std::make_unique<SellCompressed<Number, Columns>>(
          SellMatrix<Number>(pattern, slice_shape(options.storage)), n_tail,
          slice_values(options.storage));
      });
      // Most columns of unsorted slices take at most two bytes.
      d.memory = [](const MemoryCounts &n, const StorageOptions &options) {
        const bool rounds = n.number_bytes > 4 &&
                            slice_values(options) == SliceValues::single_float;
        return bytes_of_slices(n, options) +
               (rounds ? 6.1 : 2.1) * places_of_slices(n, options);
      };
      return d;
    }

    OperatorDescriptor
    describe_sell_packed()
    {
      return describe_compressed<PackedColumns>(
        "sell_packed",
        "the slices of sell with packed columns: only the bits in which the "
        "gaps "
        "between columns differ are stored; on request values in float");
    }

    const Registration<OperatorDescriptor> sell_packed_registration(
      describe_sell_packed);

    OperatorDescriptor
    describe_sell_short()
    {
      return describe_compressed<ShortColumns>(
        "sell_short",
        "the slices of sell with columns in 16 bits wherever a slice reaches "
        "no "
        "further, and on request values in float");
    }

    const Registration<OperatorDescriptor> sell_short_registration(
      describe_sell_short);
  } // namespace
} // namespace tessera
