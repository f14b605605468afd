#include "rows.h"
#include "counters.h"
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
      Rows(const Study &study, const Backend backend, const Files &files,
           benchmarks::Report &report, const std::string &name,
           const SparseMatrix &A)
        : study(study_of(study, A.pattern)), backend(backend), files(files),
          report(report), A(A), n_tail(std::max(A.n_columns - A.n_rows(), 0)),
          timing(benchmarks::timing_of(study.n_samples))
      {
        for (const std::string &n : study["Applications"])
          applications.push_back(std::stoi(n));
        common.case_name = name;
        common.degree    = 0;
        common.dofs      = A.n_rows();
        common.backend   = to_string(backend);
        common.number    = sizeof(Number) == 8 ? "double" : "float";
        // Table 2 of the paper counts a value, its column and its factor.
        common.paper_bytes =
          static_cast<double>(A.n_nonzeros()) * (2 * sizeof(Number) + 4);
      }

      void
      run()
      {
        const std::vector<Storage> asked_for = choose();
        if (!asked_for.empty())
          written = asked_for.front();
        // The format with which others are compared comes first.
        for (const Storage &storage : asked_for)
          if (storage.format == benchmarks::compared_operator)
            measure(storage);
        if (!reference_seconds.empty())
          peers();
        for (const Storage &storage : asked_for)
          if (storage.format != benchmarks::compared_operator)
            measure(storage);
      }

    private:
      /// Returns what is measured, and predicts all candidates.
      std::vector<Storage>
      choose()
      {
        const bool chosen_only =
          study.parameters.get("Factors/Formats") == "auto";
        const Names &names = chosen_only ? format_names() : study["Formats"];
        std::vector<Storage> asked_for = storages(study, names);
        const std::vector<Storage> candidates =
          storages(candidates_of(study, backend, sizeof(Number)), names);
        predictions = predict(A, candidates, sizeof(Number), backend);
        if (predictions.empty())
          return asked_for;
        chosen = chosen_of(predictions, backend, sizeof(Number));
        if (chosen_only)
          return {*chosen};
        if (std::count(asked_for.begin(), asked_for.end(), *chosen) == 0)
          asked_for.push_back(*chosen);
        return asked_for;
      }

      void
      describe_prediction(Row &row, const Storage &storage) const
      {
        for (const Prediction &p : predictions)
          if (p.storage == storage)
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
              row.parameters["chosen"] = std::int64_t(storage == *chosen);
              return;
            }
      }

      const OrderedMatrix<Number> &
      ordered(const Ordering ordering)
      {
        if (!current || ordering != current_ordering)
          {
            current.reset();
            current =
              OrderedMatrix<Number>::make(A, ordering, backend, study.seed);
            current_ordering = ordering;
          }
        return *current;
      }

      void
      synchronize() const
      {
        if (backend == Backend::cuda)
          runtime::synchronize({});
      }

      void
      measure(const Storage &storage)
      {
        op.reset();
        for (const int n : applications)
          {
            Row row = common;
            row.op  = storage.name();
            describe_prediction(row, storage);
            report.measure(
              row,
              [&](Row &r) {
                prepare(r, storage);
                time_applications(r, *op, n, storage.brings_back);
                if (storage.format == benchmarks::compared_operator)
                  keep_least(reference_seconds, n, r.seconds_median);
                else
                  break_even(r, n);
              },
              [&]() { op.reset(); });
          }
        if (storage == written)
          write_vectors(current.get(), op.get(), files.x, files.y);
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
               return of.works_with.is_for(backend);
             }))
          for (const benchmarks::PeerProduct &product : peer->products)
            for (const int n : applications)
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
        if (backend == Backend::host)
          return {&A};
        if (!csr)
          {
            csr = make_row_operator<Number>(
              benchmarks::compared_operator,
              CsrPattern(M.matrix.pattern, backend), n_tail);
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
      convert(const Storage &storage, const SparsityPattern &from)
      {
        std::unique_ptr<RowOperator<Number>> result;
        CsrPattern pattern;
        const auto renew = [&]() {
          result.reset();
          pattern       = CsrPattern(from, backend);
          pattern.block = storage.block;
        };
        renew();
        const auto work = [&]() {
          result =
            make_row_operator<Number>(storage.operator_name, std::move(pattern),
                                      n_tail, AssemblyOptions{storage.options});
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
      prepare(Row &row, const Storage &storage)
      {
        const OrderedMatrix<Number> &M = ordered(storage.ordering);
        if (!op)
          {
            if (storage.block > 1)
              blocks.emplace(A, storage.block, backend);
            auto result =
              convert(storage, blocks ? blocks->pattern : M.matrix.pattern);
            const auto work = [&]() {
              place_values(result->matrix(),
                           blocks ? blocks->row_start : M.row_start,
                           blocks ? blocks->values : M.values);
              result->values_changed();
            };
            reorder_seconds =
              program::measure(backend, {}, work, timing).median;
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
        if (backend == Backend::cuda)
          row.counters = benchmarks::kernel_counters(
            [&]() { format.vmult(y, x); }, report.range_of(row));
        if (n > 0)
          row.parameters["applications"] = std::int64_t(n);
        const auto [time, in_graph] = time_products(
          backend, n,
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

      const Study study; ///< with what the matrix suggests
      const Backend backend;
      const Files &files;
      benchmarks::Report &report;
      const SparseMatrix &A;
      const int n_tail;
      const MeasureOptions timing;
      Row common;
      std::vector<int> applications; ///< consecutive ones; 0: as many as suit

      std::unique_ptr<OrderedMatrix<Number>> current;
      Ordering current_ordering = Ordering::given;
      std::vector<Prediction> predictions; ///< fastest first
      std::optional<Storage> chosen, written;
      std::optional<FilledBlocks<Number>> blocks; ///< of what is measured
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
  measure_matrix(const Study &study, const Backend backend, const Files &files,
                 benchmarks::Report &report, const std::string &name,
                 const SparseMatrix &A)
  {
    Rows<Number>(study, backend, files, report, name, A).run();
  }

  template void
  measure_matrix<double>(const Study &, Backend, const Files &,
                         benchmarks::Report &, const std::string &,
                         const SparseMatrix &);
  template void
  measure_matrix<float>(const Study &, Backend, const Files &,
                        benchmarks::Report &, const std::string &,
                        const SparseMatrix &);
} // namespace tessera::spmv
