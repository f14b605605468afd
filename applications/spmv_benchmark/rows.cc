#include "rows.h"
#include "counters.h"
#include "cusparse_peer.h"
#include "matrix_oracle.h"
#include "row_choices.h"
#include "verify.h"

#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/matrix/reordering.h>
#include <tessera/operators/csr.h>
#include <tessera/study/program.h>

#include <algorithm>
#include <cmath>

namespace tessera::spmv
{
  using namespace study;

  namespace
  {
    /// A matrix in one order, with what its products are compared to.
    template <class Number>
    struct Ordered
    {
      SparseMatrix matrix;
      MatrixOracle oracle;
      Vector<Number> x, y;
      Array<std::int64_t> row_start;
      Array<Number> values; ///< along the pattern
    };

    /// One matrix in one number type.
    template <class Number>
    class Rows
    {
    public:
      Rows(const Sweep &sweep, benchmarks::Report &report,
           const std::string &name, const SparseMatrix &A)
        : sweep(sweep), report(report), A(A),
          n_tail(std::max(A.n_columns - A.n_rows(), 0))
      {
        timing.n_samples = sweep.n_samples;
        timing.go_on     = []() { return !interrupted(); };
        common.case_name = name;
        common.degree    = 0;
        common.dofs      = A.n_rows();
        common.backend   = to_string(sweep.backend);
        common.number    = sizeof(Number) == 8 ? "double" : "float";
        // A value, its column and its factor, as table 2 counts.
        common.paper_bytes =
          static_cast<double>(A.n_nonzeros()) * (2 * sizeof(Number) + 4);
      }

      void
      run()
      {
        // What others are compared with comes first.
        const bool has_csr =
          std::count(sweep.formats.begin(), sweep.formats.end(), "csr") > 0;
        if (has_csr)
          measure({"csr", Ordering::given, {}});
        for (const std::string &format : sweep.formats)
          if (format != "csr")
            for (const Variant &variant : variants(format, choices()))
              measure(variant);
      }

    private:
      Choices
      choices() const
      {
        Choices result = sweep.choices;
        if (sweep.all_thresholds)
          {
            const auto &start  = A.pattern.row_start;
            std::int64_t least = A.pattern.max_row_length();
            for (int row = 0; row < A.n_rows(); ++row)
              least = std::min(least, start[row + 1] - start[row]);
            result.thresholds = sweep_thresholds(static_cast<int>(least),
                                                 A.pattern.max_row_length());
          }
        return result;
      }

      const Ordered<Number> &
      ordered(const Ordering ordering)
      {
        if (!current || ordering != current_ordering)
          {
            check_fits<Number>(A);
            current.reset();
            auto made = std::make_unique<Ordered<Number>>();
            made->matrix =
              ordering == Ordering::given
                ? A
                : reorder(A, order_by_row_length(A.pattern.row_start),
                          ordering == Ordering::by_length_sorted);
            made->oracle = make_matrix_oracle<Number>(made->matrix, sweep.seed);
            const std::vector<Number> x(made->oracle.x.begin(),
                                        made->oracle.x.end());
            const std::vector<Number> values(made->matrix.values.begin(),
                                             made->matrix.values.end());
            made->x = Vector<Number>(sweep.backend, A.n_rows(), n_tail);
            made->y = Vector<Number>(sweep.backend, A.n_rows(), n_tail);
            made->x.copy_from(x);
            made->row_start = Array<std::int64_t>(
              sweep.backend, made->matrix.pattern.row_start);
            made->values     = Array<Number>(sweep.backend, values);
            current          = std::move(made);
            current_ordering = ordering;
          }
        return *current;
      }

      void
      synchronize() const
      {
        if (sweep.backend == Backend::cuda)
          runtime::synchronize({});
      }

      void
      measure(const Variant &variant)
      {
        op.reset();
        for (const int n : sweep.applications)
          {
            Row row = common;
            row.op  = variant.format;
            report.measure(
              row,
              [&](Row &r) {
                prepare(r, variant);
                time_applications(r, *op, n);
                if (variant.format == "csr")
                  reference_seconds[n] = r.seconds_median;
                else
                  break_even(r, n);
              },
              [&]() { op.reset(); });
          }
        const auto *csr = dynamic_cast<const Csr<Number> *>(op.get());
        if (csr != nullptr && sweep.backend == Backend::cuda)
          peers(*csr);
        op.reset();
      }

      void
      prepare(Row &row, const Variant &variant)
      {
        const Ordered<Number> &M = ordered(variant.ordering);
        if (!op)
          {
            const Timer timer;
            auto made = make_format<Number>(
              variant, CsrPattern(M.matrix.pattern, sweep.backend), n_tail);
            synchronize();
            setup_seconds   = timer.seconds();
            const auto work = [&]() {
              place_values(made->matrix(), M.row_start, M.values);
              made->values_changed();
            };
            reorder_seconds =
              study::measure(sweep.backend, {}, work, timing).median;
            op = std::move(made);
          }
        benchmarks::describe_rows(row, *op);
        row.setup_seconds                 = setup_seconds;
        row.parameters["reorder_seconds"] = reorder_seconds;
      }

      /// Error and bit-equality of one application, then the time of `n`.
      void
      time_applications(Row &row, const Operator<Number> &made, const int n)
      {
        Vector<Number> &x = current->x, &y = current->y;
        benchmarks::verify(row, report, made, y, x, [&](const auto &values) {
          return error(current->oracle, values, made.precision());
        });
        // Operators count as many entries of x as of y.
        const Traffic traffic = made.traffic();
        const auto compulsory = static_cast<std::int64_t>(
          traffic.compulsory +
          sizeof(Number) * (std::int64_t(A.n_columns) - A.n_rows()));
        row.compulsory_bytes = compulsory;
        row.stored_bytes     = traffic.stored;
        if (sweep.backend == Backend::cuda)
          row.counters =
            benchmarks::kernel_counters([&]() { made.vmult(y, x); });
        MeasureOptions options = timing;
        if (n > 0)
          {
            row.parameters["applications"] = std::int64_t(n);
            options.sample_seconds         = 0;
          }
        const int each  = std::max(n, 1);
        const auto work = [&]() {
          for (int i = 0; i < each; ++i)
            made.vmult(y, x);
        };
        report.set_time(
          row, of_part(study::measure(sweep.backend, {}, work, options), each),
          static_cast<double>(compulsory), 2. * A.n_nonzeros());
      }

      /// Applications after which new values in this format have cost no more
      /// than those of compressed rows, of cuSPARSE where it is there.
      void
      break_even(Row &row, const int n) const
      {
        const auto reference = reference_seconds.find(n);
        if (reference == reference_seconds.end())
          return;
        const double gain = reference->second - row.seconds_median;
        row.parameters["break_even"] =
          gain > 0 ? reorder_seconds / gain : not_measured;
      }

      void
      peers(const Csr<Number> &csr)
      {
        std::map<int, double> best;
        for (const std::string &algorithm : benchmarks::cusparse_algorithms())
          for (const int n : sweep.applications)
            {
              Row row                     = common;
              row.op                      = "csr";
              row.library                 = "cuSPARSE";
              row.parameters["algorithm"] = algorithm;
              report.measure(row, [&](Row &r) {
                ordered(Ordering::given);
                const Timer timer;
                const auto peer = benchmarks::make_cusparse(
                  csr.matrix(), csr.n_tail(), algorithm);
                r.setup_seconds = timer.seconds();
                time_applications(r, *peer, n);
                if (algorithm.find("csr") != std::string::npos)
                  {
                    const auto at = best.emplace(n, r.seconds_median).first;
                    at->second    = std::min(at->second, r.seconds_median);
                  }
              });
            }
        for (const auto &[n, seconds] : best)
          reference_seconds[n] = seconds;
      }

      const Sweep &sweep;
      benchmarks::Report &report;
      const SparseMatrix &A;
      const int n_tail;
      MeasureOptions timing;
      Row common;

      std::unique_ptr<Ordered<Number>> current;
      Ordering current_ordering = Ordering::given;
      std::unique_ptr<RowOperator<Number>> op;
      double setup_seconds = not_measured, reorder_seconds = not_measured;
      std::map<int, double> reference_seconds; ///< by applications
    };
  } // namespace

  template <class Number>
  void
  measure_matrix(const Sweep &sweep, benchmarks::Report &report,
                 const std::string &name, const SparseMatrix &A)
  {
    Rows<Number>(sweep, report, name, A).run();
  }

  template void
  measure_matrix<double>(const Sweep &, benchmarks::Report &,
                         const std::string &, const SparseMatrix &);
  template void
  measure_matrix<float>(const Sweep &, benchmarks::Report &,
                        const std::string &, const SparseMatrix &);
} // namespace tessera::spmv
