#include <tessera/base/algorithms.h>
#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/for_each.h>
#include <tessera/operators/descriptor.h>

#include <algorithm>

#include "../../operators/dense_kernels.h"
#include "dense.cuh"

namespace tessera
{
  namespace
  {
    constexpr const char *chosen = "auto", *one = "1", *block = "block";

    /// Bytes of all places beyond which a matrix is refused.
    constexpr std::int64_t most_bytes = std::int64_t(1) << 33;

    /// A line of memory, at which the places of all rows begin.
    constexpr std::int64_t line = 32;

    /// Returns the number of columns up to the last one that has an entry.
    std::int64_t
    count_columns(const CsrPattern &pattern)
    {
      const int *const columns = pattern.columns.data();
      if (pattern.n_nonzeros == 0)
        return 0;
      return 1 +
             std::int64_t(
               pattern.backend() == Backend::cuda
                 ? algorithms::maximum(columns, pattern.n_nonzeros)
                 : *std::max_element(columns, columns + pattern.n_nonzeros));
    }

    /// Returns the number of places of all rows. Throws ParameterError if they
    /// are too many.
    std::int64_t
    count_places(const std::int64_t n_rows, const std::int64_t n_columns,
                 const std::int64_t number_bytes)
    {
      const double bytes =
        static_cast<double>(number_bytes) * n_rows * n_columns;
      if (bytes > most_bytes)
        throw ParameterError(
          "The operator dense was given " + counted(n_rows, "row") + " of " +
          std::to_string(n_columns) + " numbers, which take " +
          std::to_string(static_cast<std::int64_t>(bytes / (1 << 20))) +
          " MiB; legal are at most " + std::to_string(most_bytes >> 20) +
          " MiB, beyond which other operators of rows remain.");
      return n_rows * n_columns;
    }

    /// A matrix with all its zeros, and before them its entries as compressed
    /// rows. Assembly, elimination and everything else that asks for entries
    /// work on those, at the cost of a sparse matrix; products read the zeros,
    /// too, and no column.
    ///   values: [n_nonzeros], then, from the next line of memory on,
    ///   [n_rows][n_columns], column fastest
    ///   columns: [n_nonzeros]; row starts: [n_rows + 1]
    template <class Number>
    class DenseMatrix : public RowMatrix<Number>
    {
    public:
      /// Takes ownership of the pattern.
      explicit DenseMatrix(CsrPattern pattern)
        : DenseMatrix(std::move(pattern), count_columns(pattern))
      {}

      int
      n_columns() const
      {
        return columns_of_row;
      }

      /// [n_rows][n_columns]
      const Number *
      all_values() const
      {
        return this->values().data() + first_place(this->n_nonzeros());
      }

      /// Writes the entries to their places among the zeros.
      void
      place_entries(const Stream stream)
      {
        Number *const values = this->values().data();
        for_each(this->backend(), this->n_rows(),
                 DenseRow<Number>{start.data(), this->columns(), values,
                                  columns_of_row,
                                  values + first_place(this->n_nonzeros())},
                 stream);
      }

      /// position(row, k) = row_start[row] + k
      RowAddressing
      addressing() const override
      {
        return {start.data(), nullptr, nullptr, nullptr, 1};
      }

      std::size_t
      bytes() const override
      {
        return start.bytes() + this->bytes_of_places();
      }

      std::size_t
      index_bytes() const override
      {
        return 0;
      }

    private:
      DenseMatrix(CsrPattern &&pattern, const std::int64_t n_columns)
        : RowMatrix<Number>(
            pattern.n_rows, pattern.n_nonzeros, pattern.max_row_length,
            std::move(pattern.columns),
            first_place(pattern.n_nonzeros) +
              count_places(pattern.n_rows, n_columns, sizeof(Number))),
          columns_of_row(static_cast<int>(n_columns)),
          start(std::move(pattern.row_start))
      {}

      static std::int64_t
      first_place(const std::int64_t n_nonzeros)
      {
        return (n_nonzeros + line - 1) / line * line;
      }

      int columns_of_row;
      Array<std::int64_t> start;
    };

    /// The option `Dense threads per row`.
    const OptionSet &
    dense_options()
    {
      static const OptionSet set = {
        {{"Dense threads per row",
          "threads that multiply a row with all its zeros: 1, while its block "
          "shares x on chip, or a whole block; auto: a block where rows are as "
          "long as a block",
          chosen,
          {chosen, one, block}}},
        true,
        "Dense threads per row"};
      return set;
    }

    template <class Number>
    bool
    choose_blocks(const DenseMatrix<Number> &matrix,
                  const StorageOptions &options)
    {
      const std::string name = dense_options().options[0].value(options);
      return matrix.backend() == Backend::cuda &&
             (name == block ||
              (name == chosen && matrix.n_columns() >= shortest_row_of_block));
    }

    /// y = A x with all zeros of A (LinLau2025, section II.A). On the device a
    /// thread or a block multiplies a row; on the host a row is a loop over
    /// vectors.
    template <class Number>
    class Dense : public MatrixOperator<Number, DenseMatrix>
    {
    public:
      Dense(DenseMatrix<Number> matrix, const int n_tail, const bool by_blocks)
        : MatrixOperator<Number, DenseMatrix>(
            "dense", std::move(matrix), matrix.backend(), n_tail,
            matrix.backend() == Backend::cuda
              ? dense_blocks(matrix.n_rows(), by_blocks)
              : host_blocks(matrix.n_rows(), dense_host_rows)),
          by_blocks(by_blocks)
      {}

      void
      values_changed(const Stream stream = {}) override
      {
        this->matrix().place_entries(stream);
      }

      /// Zeros are padding: they are stored, but need not be read.
      Traffic
      traffic() const override
      {
        const DenseMatrix<Number> &A = this->matrix();
        const std::uint64_t n        = A.n_rows();
        return {sizeof(Number) * (2 * n + A.n_nonzeros()),
                sizeof(Number) * n * A.n_columns()};
      }

      /// Returns `T`: 1 or block.
      RecordValues
      product_parameters() const override
      {
        if (this->backend() == Backend::host)
          return {};
        if (by_blocks)
          return {{"T", std::string(block)}};
        return {{"T", std::int64_t(1)}};
      }

    protected:
      void
      launch_apply(const RowApply<Number> &apply,
                   const Stream stream) const override
      {
        const DenseMatrix<Number> &A = this->matrix();
        on_target(A.backend(), [&](const auto target) {
          apply_dense(
            target,
            DenseApply<Number>{apply, A.n_columns(), A.all_values(), by_blocks},
            stream);
        });
      }

    private:
      bool by_blocks;
    };
  } // namespace

  namespace
  {
    OperatorDescriptor
    describe_dense()
    {
      OperatorDescriptor d{
        "dense",
        "the assembled matrix with all its zeros, row by row, "
        "of up to 8 GiB: what sparse formats are compared with",
        "LinLau2025, section II.A",
        {&dense_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        DenseMatrix<Number> matrix(std::move(pattern));
        const bool by_blocks = choose_blocks(matrix, options.storage);
        return std::make_unique<Dense<Number>>(std::move(matrix), n_tail,
                                               by_blocks);
      });
      // Besides zeros there are the entries as compressed rows.
      d.memory = [](const MemoryCounts &n, const StorageOptions &) {
        return n.number_bytes * n.n_cells * n.dofs * n.dofs +
               n.places(n.nonzeros) + 8 * n.dofs;
      };
      return d;
    }

    const Registration<OperatorDescriptor> dense_registration(describe_dense);
  } // namespace
} // namespace tessera
