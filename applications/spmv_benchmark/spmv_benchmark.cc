#include "spmv_benchmark.h"
#include "formats.h"
#include "matrices.h"
#include "program.h"
#include "rows.h"

#include <tessera/base/names.h>
#include <tessera/base/replace_file.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/program/command_line.h>
#include <tessera/program/program.h>

#include <filesystem>
#include <iostream>
#include <new>
#include <optional>

namespace tessera::spmv
{
  using namespace program;

  namespace
  {
    const std::vector<std::string> numbers       = {"double", "float"};
    const std::vector<std::string> loads         = {"read_only", "plain"};
    const std::vector<std::string> matrix_blocks = {"1", "2", "3", "auto"};
    constexpr int most                           = 1 << 30;
  } // namespace

  Options
  make_options()
  {
    Options o("spmv_benchmark",
              "Measures y = A x for sparse matrices in all formats; every row "
              "has its error. Lists are separated by commas; all stands for "
              "all.");
    o.add("matrices", "LIST", "table_2",
          "names of the suite (--list), table_2 for its stand-ins for those of "
          "the paper, or files: Matrix Market, also compressed, or a copy in "
          "binary");
    o.add("scale", "X", "1", "rows of the suite's matrices, by this factor");
    o.add("cache", "DIR", "", "folder of binary copies of files");
    o.add("formats", "LIST", "all",
          list_of(format_names()) +
            "; auto: the one that is predicted quickest");
    o.add("numbers", "LIST", "all", list_of(numbers));
    o.add("lanes", "LIST", "32", "C of sliced formats: powers of two to 256");
    o.add("windows", "LIST", "256",
          "sigma of sell_c_sigma: rows that are sorted; 0: all");
    o.add("threads-per-row", "LIST", "2,4,8",
          "T of ellr_t and sliced_ellr_t: powers of two to 32");
    o.add("blocks", "LIST", "auto",
          "threads a block of sliced formats on a device: auto or multiples of "
          "32 to 256");
    o.add("x-loads", "LIST", "read_only",
          "of sliced formats on a device: " + list_of(loads) +
            "; plain ones in blocks of auto alone");
    o.add("matrix-blocks", "LIST", "1",
          "blocks of entries that share a column index in csr, ell and sliced "
          "formats: 1: none; 2 or 3: of 2 x 2 or 3 x 3, filled up with zeros; "
          "auto: the largest of which a matrix consists");
    o.add("csr-threads", "LIST", "auto",
          "of csr on a device: " + list_of(threads_per_row_options().words()));
    o.add("values-per-thread", "LIST", "auto",
          "entries of a thread of csr_mgpu on the device: " +
            list_of(values_per_thread_options().words()));
    o.add("thresholds", "LIST", "16",
          "entries of a thread of ell_warp_k2; all: every one where rows are "
          "of up to 65 lengths, else 32 in equal ratios");
    o.add("applications", "LIST", "0",
          "one after the other, timed together; 0: as many as suit");
    o.add("samples", "N", "20", "timings of a row");
    o.add("seed", "N", "1", "of the vector");
    o.add("error-limit", "X", "300", "larger errors make a row wrong");
    o.add("write-vector", "FILE", "",
          "writes x of the first matrix, number and format, as Matrix Market");
    o.add("write-product", "FILE", "", "the same of y = A x");
    o.add_flag("list", "print the matrices and formats, and stop");
    o.add_flag("statistics", "describe the matrices, measure nothing");
    add_common_options(o, "out/spmv_benchmark");
    return o;
  }

  namespace
  {
    Sweep
    make_sweep(const Options &options, const Backend backend)
    {
      Sweep sweep;
      sweep.backend         = backend;
      sweep.chosen_only     = options.value("formats") == "auto";
      sweep.formats         = sweep.chosen_only
                                ? format_names()
                                : options.list("formats", format_names());
      sweep.choices.lanes   = options.integers("lanes", 1, most);
      sweep.choices.windows = options.integers("windows", 0, most);
      sweep.choices.threads_per_row =
        options.integers("threads-per-row", 1, most);
      for (const std::string &load : options.list("x-loads", loads))
        for (const auto &block : options.integers_or_auto("blocks", 256))
          {
            auto &of_sell = sweep.choices.of_sell.emplace_back();
            if (block)
              of_sell["Block size"] = std::to_string(*block);
            if (load != loads.front())
              of_sell["Loads of x"] = load;
          }
      for (const std::string &threads :
           options.list("csr-threads", threads_per_row_options().words()))
        sweep.choices.of_csr.push_back(threads_per_row_options().read(threads));
      for (const std::string &values : options.list(
             "values-per-thread", values_per_thread_options().words()))
        sweep.choices.of_csr_mgpu.push_back(
          values_per_thread_options().read(values));
      for (const std::string &size :
           options.list("matrix-blocks", matrix_blocks))
        sweep.choices.matrix_blocks.push_back(
          size == matrix_blocks.back() ? found_blocks : std::stoi(size));
      sweep.choices.all_thresholds = options.value("thresholds") == "all";
      if (!sweep.choices.all_thresholds)
        sweep.choices.thresholds = options.integers("thresholds", 1, most);
      sweep.applications = options.integers("applications", 0, 1000000);
      sweep.n_samples    = options.integer("samples", 1, 100000);
      sweep.seed         = options.integer("seed", 0, most);
      sweep.vector_file  = options.value("write-vector");
      sweep.product_file = options.value("write-product");
      for (const std::string &file : {sweep.vector_file, sweep.product_file})
        if (!file.empty() && !can_replace(file))
          throw ParameterError("The file '" + file + "' cannot be written.");
      const auto place = [](const std::string &file) {
        return std::filesystem::weakly_canonical(
          std::filesystem::absolute(file));
      };
      if (!sweep.vector_file.empty() && !sweep.product_file.empty() &&
          place(sweep.vector_file) == place(sweep.product_file))
        throw ParameterError(
          "The options --write-vector and --write-product were given the same "
          "file '" +
          sweep.product_file + "'.");
      return sweep;
    }

    /// A matrix and its description in the record.
    struct DescribedMatrix
    {
      SparseMatrix matrix;
      Matrix description;
    };

    /// Makes a matrix. If this fails, returns nothing, adds a row with the
    /// reason, and sets `first` unless it has an error already.
    std::optional<DescribedMatrix>
    try_matrix(const std::string &name, const Options &options,
               const Sweep &sweep, benchmarks::Report &report,
               std::optional<Error> &first)
    {
      const auto failed = [&](const Error &error) {
        if (error.exit_code() == ExitCode::interrupted)
          throw error;
        if (!first)
          first = error;
        Row row;
        row.case_name = name;
        row.op        = "all";
        row.degree    = 0;
        row.backend   = to_string(sweep.backend);
        row.number    = numbers.front();
        report.measure(row, [&](Row &) { throw error; });
        return std::optional<DescribedMatrix>();
      };
      try
        {
          DescribedMatrix result;
          result.matrix = make_matrix(name, options.real("scale", 1e-9, 1e3),
                                      options.value("cache"));
          result.description = describe_matrix(name, result.matrix);
          return result;
        }
      catch (const Error &error)
        {
          return failed(error);
        }
      catch (const std::bad_alloc &)
        {
          return failed(DeviceError("There is not enough memory on the host."));
        }
    }

    /// Measures all matrices. One that cannot be made has a row with the
    /// reason; if that holds for all, the first such error is thrown. Throws
    /// ParameterError if no row exists.
    void
    run_matrices(const Options &options, Sweep &sweep,
                 benchmarks::Report &report, Record &record)
    {
      std::optional<Error> first;
      bool some = false;
      for (const std::string &name : expand_matrices(options.list("matrices")))
        {
          throw_if_interrupted();
          std::cerr << name << std::endl;
          const auto described =
            try_matrix(name, options, sweep, report, first);
          if (!described)
            continue;
          some                  = true;
          const SparseMatrix &A = described->matrix;
          record.add(described->description);
          if (options.given("statistics"))
            continue;
          for (const std::string &number : options.list("numbers", numbers))
            {
              if (number == "double")
                measure_matrix<double>(sweep, report, name, A);
              else
                measure_matrix<float>(sweep, report, name, A);
              sweep.vector_file = sweep.product_file = "";
            }
        }
      if (first && !some)
        throw *first;
      if (record.rows().empty() && !options.given("statistics"))
        throw ParameterError(
          "The sweep has no row: --formats, --numbers, --applications and the "
          "options of these formats leave nothing to measure.");
    }
  } // namespace

  ExitCode
  run(const Options &options, Record &record)
  {
    if (options.given("list"))
      {
        std::cout << matrix_table() << '\n' << format_table();
        return ExitCode::done;
      }
    const Backend backend    = benchmarks::begin(options);
    Sweep sweep              = make_sweep(options, backend);
    const double error_limit = options.real("error-limit", 0, 1e300);
    // Options are checked before anything is measured.
    if (expand_matrices(options.list("matrices")).empty())
      throw ParameterError("The option --matrices names no matrix.");
    options.real("scale", 1e-9, 1e3);
    if (options.list("numbers", numbers).empty() || sweep.formats.empty())
      throw ParameterError(
        "The sweep has no row: --numbers or --formats is "
        "empty.");
    const bool describe    = options.given("statistics");
    const double bandwidth = describe ? not_measured : copy_bandwidth(backend);
    benchmarks::open(record, options, backend, bandwidth);

    benchmarks::Report report(record, bandwidth, error_limit,
                              benchmarks::TableOf::matrices);
    const auto work = [&]() { run_matrices(options, sweep, report, record); };
    if (!describe)
      return benchmarks::finish(record, report, work);
    work();
    std::cout << "Open " << record.path() << std::endl;
    return ExitCode::done;
  }
} // namespace tessera::spmv
