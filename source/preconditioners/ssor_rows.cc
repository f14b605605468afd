#include <tessera/matrix/collect_rows.h>
#include <tessera/operators/factory.h>

#include "ssor.cuh"
#include "ssor_sweeps.h"

namespace tessera
{
  namespace
  {
    /// For every row the number of columns with a lower colour, with a higher
    /// one, and with either.
    struct Lengths
    {
      std::vector<int> lower, upper, all;

      Lengths(const SparsityPattern &pattern, const std::vector<int> &color)
        : lower(pattern.n_rows(), 0), upper(lower), all(lower)
      {
#pragma omp parallel for schedule(static)
        for (int row = 0; row < pattern.n_rows(); ++row)
          {
            for (auto k = pattern.row_start[row];
                 k < pattern.row_start[row + 1]; ++k)
              {
                const int other = color[pattern.columns[k]];
                lower[row] += other < color[row];
                upper[row] += other > color[row];
              }
            all[row] = lower[row] + upper[row];
          }
      }
    };

    template <class Number>
    class RowSweeps : public SsorSweeps<Number>
    {
    public:
      RowSweeps(ColorOrder order, const Lengths &lengths,
                const RowEntries<const Number> &rows, const Backend backend,
                const double relaxation, const Stream stream)
        : SsorSweeps<Number>(std::move(order), backend),
          lower(this->color_order, lengths.lower, backend),
          upper(this->color_order, lengths.upper, backend)
      {
        const Array<int> row(backend, this->color_order.rows());
        const SsorFill<Number> fill{rows,
                                    this->place.data(),
                                    row.data(),
                                    lower.to_fill(),
                                    upper.to_fill(),
                                    this->scale.data(),
                                    static_cast<Number>(relaxation)};
        for_each(backend, this->color_order.n_places(), fill, stream);
        if (backend == Backend::cuda)
          runtime::synchronize(stream);
      }

    protected:
      void
      sweep(Number *y, const int color, const bool is_lower,
            const Stream stream) const override
      {
        const SliceRange slices{this->color_order.first_slice[color],
                                this->color_order.n_slices(color)};
        on_target(this->backend(), [&](const auto target) {
          sweep_ssor<Number>(target, (is_lower ? lower : upper).view(), y,
                             slices, stream);
        });
      }

      Traffic
      entries() const override
      {
        return {lower.needed + upper.needed, lower.bytes() + upper.bytes()};
      }

    private:
      struct Slices
      {
        Slices(const ColorOrder &order, const std::vector<int> &lengths,
               const Backend backend)
        {
          const auto starts     = slice_starts(order, lengths);
          const std::size_t all = slice_rows * starts.back();
          for (const int count : lengths)
            needed += count * (sizeof(int) + sizeof(Number));
          start   = Array<std::int64_t>(backend, starts);
          columns = Array<int>(backend, all);
          values  = Array<Number>(backend, all);
        }

        SlicedRows<Number>
        view() const
        {
          return {start.data(), columns.data(), values.data()};
        }

        SlicesToFill<Number>
        to_fill()
        {
          return {start.data(), columns.data(), values.data()};
        }

        std::size_t
        bytes() const
        {
          return start.bytes() + columns.bytes() + values.bytes();
        }

        Array<std::int64_t> start;
        Array<int> columns;
        Array<Number> values;
        std::size_t needed = 0; ///< bytes without padding
      };

      Slices lower, upper;
    };
  } // namespace


  template <class Number>
  std::unique_ptr<SsorSweeps<Number>>
  make_ssor_sweeps(const RowMatrix<Number> &matrix, const double relaxation,
                   const Stream stream)
  {
    const SparsityPattern pattern = matrix.pattern();
    // The sweeps take an entry for each column of the pattern.
    if (pattern.n_nonzeros() < matrix.n_nonzeros())
      return make_ssor_sweeps(
        make_row_operator<Number>("csr", collect_rows(matrix, matrix.n_rows()),
                                  matrix.backend())
          ->matrix(),
        relaxation, stream);
    const RowColoring coloring = color_rows(pattern);
    const Lengths lengths(pattern, coloring.color);
    return std::make_unique<RowSweeps<Number>>(
      order_by_color(coloring, lengths.all, lengths.lower), lengths,
      matrix.entries(), matrix.backend(), relaxation, stream);
  }

  template std::unique_ptr<SsorSweeps<double>>
  make_ssor_sweeps(const RowMatrix<double> &, double, Stream);
  template std::unique_ptr<SsorSweeps<float>>
  make_ssor_sweeps(const RowMatrix<float> &, double, Stream);
} // namespace tessera
