#include "rows.h"
#include "counters.h"
#include "engine.h"
#include "filled_blocks.h"
#include "ordered_matrix.h"
#include "peer_descriptor.h"
#include "peer_operator.h"
#include "predictions.h"
#include "row_choices.h"
#include "time_products.h"
#include "verify.h"

#include <tessera/matrix/permutation.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/factory.h>

#include <algorithm>
#include <cmath>

namespace tessera::spmv
{
  using namespace program;

  namespace
  {
    /// Measures one matrix in one number type.
    template <class Number>
    class Rows
    {
    public:
      Rows(const Sweep &sweep, benchmarks::Report &report,
           const std::string &name, const SparseMatrix &A)
        : sweep(sweep), report(report), A(A),
          n_tail(std::max(A.n_columns - A.n_rows(), 0)),
          timing(benchmarks::timing_of(sweep.n_samples))
      {
        common.case_name = name;
        common.degree    = 0;
        common.dofs      = A.n_rows();
        common.backend   = to_string(sweep.backend);
        common.number    = sizeof(Number) == 8 ? "double" : "float";
        // Table 2 of the paper counts a value, its column and its factor.
        common.paper_bytes =
          static_cast<double>(A.n_nonzeros()) * (2 * sizeof(Number) + 4);
      }

      void
      run()
      {
        const std::vector<Variant> asked_for = choose();
        if (!asked_for.empty())
          written = asked_for.front();
        // The format with which others are compared comes first.
        for (const Variant &variant : asked_for)
          if (variant.format == benchmarks::compared_operator)
            measure(variant);
        if (!reference_seconds.empty())
          peers();
        for (const Variant &variant : asked_for)
          if (variant.format != benchmarks::compared_operator)
            measure(variant);
      }

    private:
      /// Returns the variants that are measured, and predicts all candidates.
      std::vector<Variant>
      choose()
      {
        std::vector<Variant> asked_for, candidates;
        const auto add = [&](std::vector<Variant> &to, const Choices &choices) {
          for (const std::string &format : sweep.formats)
            for (const Variant &variant : variants(format, choices))
              to.push_back(variant);
        };
        const Choices given = choices_for(sweep.choices, A.pattern);
        add(asked_for, given);
        Choices all       = given;
        all.matrix_blocks = {1};
        if (sweep.backend == Backend::cuda)
          for (const std::string &threads : threads_per_row_options().words())
            all.options["csr"].push_back(
              threads_per_row_options().read(threads));
        add_thresholds_looked_at(all.thresholds, sweep.backend, sizeof(Number));
        add(candidates, all);
        predictions = predict(A, candidates, sizeof(Number), sweep.backend);
        if (predictions.empty())
          return asked_for;
        chosen = chosen_of(predictions, sweep.backend, sizeof(Number));
        if (sweep.chosen_only)
          return {*chosen};
        if (std::count(asked_for.begin(), asked_for.end(), *chosen) == 0)
          asked_for.push_back(*chosen);
        return asked_for;
      }

      void
      describe_prediction(Row &row, const Variant &variant) const
      {
        for (const Prediction &p : predictions)
          if (p.variant == variant)
            {
              row.work                 = {{"stored", p.work.stored},
                                          {"vectors", p.work.vectors},
                                          {"requests", p.work.requests},
                                          {"gathered", p.work.gathered},
                                          {"longest", p.work.longest},
                                          {"starts", p.work.starts},
                                          {"steps", p.work.steps},
                                          {"entries", p.work.entries},
                                          {"padded", p.work.padded},
                                          {"predicted_seconds", p.seconds}};
              row.parameters["chosen"] = std::int64_t(variant == *chosen);
              return;
            }
      }

      const OrderedMatrix<Number> &
      ordered(const Ordering ordering)
      {
        if (!current || ordering != current_ordering)
          {
            current.reset();
            current = OrderedMatrix<Number>::make(A, ordering, sweep.backend,
                                                  sweep.seed);
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
            row.op  = variant.name();
            describe_prediction(row, variant);
            report.measure(
              row,
              [&](Row &r) {
                prepare(r, variant);
                time_applications(r, *op, n, variant.brings_back);
                if (variant.format == benchmarks::compared_operator)
                  keep_least(reference_seconds, n, r.seconds_median);
                else
                  break_even(r, n);
              },
              [&]() { op.reset(); });
          }
        if (variant == written)
          write_vectors(current.get(), op.get(), sweep.vector_file,
                        sweep.product_file);
        op.reset();
        blocks.reset();
      }

      /// Measures the products of peers.
      void
      peers()
      {
        using Maker = benchmarks::PeerProduct::Maker<Number>;
        std::map<int, double> best;
        std::unique_ptr<RowOperator<Number>> csr;
        for (const auto *const peer :
             benchmarks::peers_where([&](const benchmarks::PeerDescriptor &of) {
               return of.works_with.is_for(sweep.backend);
             }))
          for (const benchmarks::PeerProduct &product : peer->products)
            for (const int n : sweep.applications)
              if (const auto &make = std::get<Maker>(product.makers))
                {
                  Row row     = common;
                  row.op      = benchmarks::compared_operator;
                  row.library = peer->library;
                  for (const auto &[name, value] : product.shown)
                    row.parameters[name] = value;
                  report.measure(row, [&](Row &r) {
                    const auto from = matrix_of_peers(csr);
                    const Timer timer;
                    const auto op   = make(from);
                    r.setup_seconds = timer.seconds();
                    time_applications(r, *op, n);
                    if (product.is_reference)
                      keep_least(best, n, r.seconds_median);
                  });
                }
        for (const auto &[n, seconds] : best)
          reference_seconds[n] = seconds;
      }

      /// Returns the matrix from which peers are made; on a device it is the
      /// matrix of `csr`, which is made if it is not there.
      benchmarks::PeerMatrix<Number>
      matrix_of_peers(std::unique_ptr<RowOperator<Number>> &csr)
      {
        const OrderedMatrix<Number> &M = ordered(Ordering::given);
        if (sweep.backend == Backend::host)
          return {&A};
        if (!csr)
          {
            csr = make_row_operator<Number>(
              benchmarks::compared_operator,
              CsrPattern(M.matrix.pattern, sweep.backend), n_tail);
            place_values(csr->matrix(), M.row_start, M.values);
          }
        return {nullptr, &dynamic_cast<const Csr<Number> &>(*csr).matrix(),
                n_tail};
      }

      static void
      keep_least(std::map<int, double> &least, const int n,
                 const double seconds)
      {
        const auto at = least.emplace(n, seconds).first;
        at->second    = std::min(at->second, seconds);
      }

      /// Makes the format from a pattern that is already on the backend, and
      /// sets `setup_seconds`. The time includes allocating and freeing, but
      /// not the copy of the pattern.
      std::unique_ptr<RowOperator<Number>>
      convert(const Variant &variant, const SparsityPattern &from)
      {
        std::unique_ptr<RowOperator<Number>> result;
        CsrPattern pattern;
        const auto renew = [&]() {
          result.reset();
          pattern       = CsrPattern(from, sweep.backend);
          pattern.block = variant.block;
        };
        renew();
        const auto work = [&]() {
          result =
            make_row_operator<Number>(variant.operator_name, std::move(pattern),
                                      n_tail, AssemblyOptions{variant.options});
          synchronize();
        };
        // The clock of the host is used because it may do much of the work.
        // After one conversion there are up to five samples of one conversion,
        // for up to 2 s.
        setup_seconds = program::measure(Backend::host, {}, work,
                                         {5, 1, 0, 2, renew, timing.go_on})
                          .median;
        return result;
      }

      void
      prepare(Row &row, const Variant &variant)
      {
        const OrderedMatrix<Number> &M = ordered(variant.ordering);
        if (!op)
          {
            if (variant.block > 1)
              blocks.emplace(A, variant.block, sweep.backend);
            auto result =
              convert(variant, blocks ? blocks->pattern : M.matrix.pattern);
            const auto work = [&]() {
              place_values(result->matrix(),
                           blocks ? blocks->row_start : M.row_start,
                           blocks ? blocks->values : M.values);
              result->values_changed();
            };
            reorder_seconds =
              program::measure(sweep.backend, {}, work, timing).median;
            op = std::move(result);
          }
        benchmarks::describe_rows(row, *op);
        row.setup_seconds                 = setup_seconds;
        row.parameters["reorder_seconds"] = reorder_seconds;
        if (blocks)
          {
            row.padding *= blocks->fill();
            row.parameters["fill"] = blocks->fill();
          }
      }

      /// Measures error and repeatability of one application, then the time of
      /// `n`. If `brings_back`, each ends by bringing y to the order given.
      void
      time_applications(Row &row, const Operator<Number> &format, const int n,
                        const bool brings_back = false)
      {
        Vector<Number> &x = current->x, &y = current->y;
        benchmarks::verify(row, report, format, y, x, [&](const auto &values) {
          return error(current->oracle, values, format.precision());
        });
        // Operators count as many entries of x as of y, and zeros in blocks.
        const Traffic traffic = format.traffic();
        const auto compulsory = static_cast<std::int64_t>(
          traffic.compulsory +
          sizeof(Number) * (std::int64_t(A.n_columns) - A.n_rows() -
                            (blocks ? blocks->n_filled : 0)));
        row.compulsory_bytes = compulsory;
        row.stored_bytes     = traffic.stored;
        if (sweep.backend == Backend::cuda)
          row.counters = benchmarks::kernel_counters(
            [&]() { format.vmult(y, x); }, report.range_of(row));
        if (n > 0)
          row.parameters["applications"] = std::int64_t(n);
        const auto [time, in_graph] = time_products(
          sweep.backend, n,
          [&](const Stream stream) {
            format.vmult(y, x, {}, stream);
            if (brings_back)
              permute(current->given, y, current->back, stream);
          },
          timing);
        if (in_graph > 0)
          row.parameters["graph"] = std::int64_t(in_graph);
        report.set_time(row, time, static_cast<double>(compulsory),
                        2. * A.n_nonzeros());
      }

      /// Sets how many applications last as long as the conversion, and after
      /// how many new values in this format have cost no more than in
      /// compressed rows; those are cuSPARSE's if it is there.
      void
      break_even(Row &row, const int n) const
      {
        row.parameters["conversion_applications"] =
          setup_seconds / row.seconds_median;
        const auto reference = reference_seconds.find(n);
        if (reference == reference_seconds.end())
          return;
        const double gain = reference->second - row.seconds_median;
        row.parameters["break_even"] =
          gain > 0 ? reorder_seconds / gain : not_measured;
      }

      const Sweep &sweep;
      benchmarks::Report &report;
      const SparseMatrix &A;
      const int n_tail;
      const MeasureOptions timing;
      Row common;

      std::unique_ptr<OrderedMatrix<Number>> current;
      Ordering current_ordering = Ordering::given;
      std::vector<Prediction> predictions; ///< fastest first
      std::optional<Variant> chosen, written;
      std::optional<FilledBlocks<Number>> blocks; ///< of the variant measured
      std::unique_ptr<RowOperator<Number>> op;
      double setup_seconds = not_measured, reorder_seconds = not_measured;
      std::map<int, double> reference_seconds; ///< by number of applications
    };
  } // namespace

  const benchmarks::Layout &
  matrix_layout()
  {
    using benchmarks::words;
    static const benchmarks::Layout layout = []() {
      benchmarks::Layout result = {
        {words("matrix"),
         words("number"),
         words("format"),
         words("backend"),
         {"padding"}},
        [](const Row &row) {
          benchmarks::Cells line = {row.case_name, row.number,
                                    benchmarks::what(row), row.backend,
                                    format(row.padding)};
          benchmarks::add_product_cells(line, row);
          return line;
        },
        [](const Row &row) { return format(1e-9 * row.bandwidth) + " GB/s"; },
        "paper: 20 bytes an entry, 12 in float, as WongKuhlDarve2015 counts "
        "(table 2)"};
      benchmarks::add_product_columns(result.columns);
      return result;
    }();
    return layout;
  }

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
