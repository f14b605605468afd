#include <tessera/base/error.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>

#include <algorithm>

#include "csr_kernels.h"
#include "csr_row_start.h"
#include "tuning.h"

namespace tessera
{
  namespace
  {
    constexpr const char *automatic = "auto", *staged = "staged",
                         *streamed = "streamed";

    /// Threads for rows that are too long to be staged; else streamed where
    /// columns follow one another along rows rather than across them, or
    /// staged.
    template <class Number>
    int
    choose_threads(const CsrMatrix<Number> &matrix, const double mean_length)
    {
      const int longest = matrix.max_row_length();
      if (mean_length > tuning::csr_longest_staged_mean ||
          longest > tuning::csr_tile<Number>)
        return csr_threads<Number>(mean_length, longest);
      // Rows of 2 x 2 blocks are 1.3 times as fast when they are staged, rows
      // of 3 x 3 blocks by a twentieth slower (H200, 2026-11-23).
      if (matrix.blocks().size > 1)
        return matrix.blocks().size == 2
                 ? staged_rows
                 : csr_threads<Number>(mean_length, longest);
      const ColumnNeighbours neighbours =
        with_row_start(matrix, [&](const auto *row_start) {
          return count_neighbours(row_start, matrix.columns(), matrix.n_rows());
        });
      return neighbours.along > neighbours.across ? streamed_rows : staged_rows;
    }
  } // namespace

  std::string
  to_string(const ThreadsPerRow &threads)
  {
    return !threads                    ? automatic
           : *threads == staged_rows   ? staged
           : *threads == streamed_rows ? streamed
                                       : std::to_string(*threads);
  }

  ThreadsPerRow
  threads_per_row(const StorageOptions &options)
  {
    const Option &option   = threads_per_row_options().options[0];
    const std::string name = option.value(options);
    return name == staged     ? staged_rows
           : name == streamed ? streamed_rows
                              : option.number(options);
  }

  template <class Number>
  RecordValues
  Csr<Number>::product_parameters() const
  {
    if (this->backend() == Backend::host)
      return {};
    if (plan.threads_per_row > 0)
      return {{"T", std::int64_t(plan.threads_per_row)}};
    return {{"T", to_string(ThreadsPerRow(plan.threads_per_row))}};
  }

  template <class Number>
  typename Csr<Number>::Plan
  Csr<Number>::make_plan(const CsrMatrix<Number> &matrix,
                         const ThreadsPerRow &threads)
  {
    const bool on_host   = matrix.backend() == Backend::host;
    const Option &option = threads_per_row_options().options[0];
    if (threads && (on_host || !option.is_legal(to_string(threads))))
      throw ParameterError(
        "The number of threads per row was given as " + to_string(threads) +
        "; legal is " + (on_host ? "auto on the host" : option.legal()) + '.');
    if (on_host)
      return {1, host_rows, host_row_blocks(matrix.n_rows())};
    if (threads == ThreadsPerRow(streamed_rows) && matrix.blocks().size > 1)
      throw ParameterError(
        "Rows of blocks are not streamed; the number of threads per row was "
        "given as streamed, legal is auto, staged or a number.");
    const double mean =
      static_cast<double>(matrix.n_nonzeros()) / std::max(matrix.n_rows(), 1);
    Plan plan;
    plan.threads_per_row = threads ? *threads : choose_threads(matrix, mean);
    plan.rows_per_block =
      csr_rows_per_block<Number>(plan.threads_per_row, mean);
    plan.n_blocks = row_blocks(matrix.n_rows(), plan.rows_per_block);
    return plan;
  }

  template <class Number>
  Csr<Number>::Csr(CsrMatrix<Number> matrix, const int n_tail,
                   const ThreadsPerRow &threads)
    : Csr(std::move(matrix), n_tail, make_plan(matrix, threads))
  {}

  template <class Number>
  Csr<Number>::Csr(CsrMatrix<Number> &&matrix, const int n_tail,
                   const Plan &plan)
    : MatrixOperator<Number, CsrMatrix>(
        "csr", std::move(matrix), matrix.backend(), n_tail, plan.n_blocks),
      plan(plan)
  {}

  template <class Number>
  void
  Csr<Number>::launch_apply(const RowApply<Number> &apply,
                            const Stream stream) const
  {
    const CsrMatrix<Number> &csr = this->matrix();
    on_target(csr.backend(), [&](const auto target) {
      with_row_start(csr, [&](const auto *row_start) {
        using Offset =
          std::remove_const_t<std::remove_pointer_t<decltype(row_start)>>;
        apply_csr(target,
                  CsrApply<Number, Offset>{
                    apply, row_start, csr.columns(), csr.values().data(),
                    nullptr, plan.threads_per_row, plan.rows_per_block,
                    csr.most_rows_even(), csr.blocks().size,
                    csr.blocks().rows.base_64},
                  stream);
      });
    });
  }

  template class Csr<double>;
  template class Csr<float>;

  const OptionSet &
  threads_per_row_options()
  {
    static const OptionSet set = {
      {{"Threads per row",
        "threads that multiply a row, or staged: a block brings its rows on "
        "chip, or streamed: a warp forms products entry by entry; auto: what "
        "suits lengths and columns of the rows",
        automatic,
        {automatic, staged, streamed, "1", "2", "4", "8", "16", "32"}}},
      true,
      "Threads per row"};
    return set;
  }

  namespace
  {
    OperatorDescriptor
    describe_csr()
    {
      OperatorDescriptor d{"csr",
                           "assembled compressed sparse rows (CSR), summed on "
                           "chip or by several threads per row",
                           "RegulyGiles2015, section 6",
                           {&threads_per_row_options()}};
      d.from_pattern([](auto number, CsrPattern &&pattern, const int n_tail,
                        const AssemblyOptions &options) {
        using Number = decltype(number);
        return std::make_unique<Csr<Number>>(
          CsrMatrix<Number>(std::move(pattern)), n_tail,
          threads_per_row(options.storage));
      });
      d.stores_blocks = [](const StorageOptions &options) {
        return threads_per_row(options) != ThreadsPerRow(streamed_rows);
      };
      d.memory = bytes_of_entries;
      d.model  = models::csr;
      return d;
    }

    const Registration<OperatorDescriptor> csr_registration(describe_csr);
  } // namespace
} // namespace tessera
