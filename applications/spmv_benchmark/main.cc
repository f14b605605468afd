// Measures products of any sparse matrix in every format (WongKuhlDarve2015),
// without deal.II.
#include "engine.h"
#include "formats.h"
#include "matrices.h"
#include "rows.h"

#include <tessera/base/replace_file.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/csr_mgpu.h>
#include <tessera/program/program.h>

#include <filesystem>
#include <iostream>

namespace tessera::spmv
{
  using namespace program;

  using benchmarks::factor;
  using benchmarks::factor_of_names;
  using benchmarks::factor_of_values;
  using benchmarks::FactorEntry;
  using benchmarks::Factors;
  using benchmarks::Names;
  using benchmarks::Study;
  using benchmarks::Variants;

  namespace
  {
    const Names loads  = {"read_only", "plain"};
    constexpr int most = 1 << 30;

    /// Returns a list of integers; the word stands for what a matrix or the
    /// backend suggests.
    FactorEntry
    of_integers(const std::string &name, const std::string &default_value,
                const int least, const int greatest,
                const std::string &documentation, const Names &words = {})
    {
      return factor_of_values(
        name, default_value,
        option_value({name, "", "", words, least, greatest}), documentation);
    }

    /// Returns the powers of two up to `most`.
    Names
    powers_of_two(const int most)
    {
      Names powers;
      for (int power = 1; power <= most; power *= 2)
        powers.push_back(std::to_string(power));
      return powers;
    }

    /// Returns the sizes of blocks that sliced formats can be launched in.
    Names
    block_sizes()
    {
      Names sizes = {"auto"};
      for (int threads = 32; threads <= 256; threads += 32)
        sizes.push_back(std::to_string(threads));
      return sizes;
    }

    const Factors &
    factors()
    {
      static const Factors all = []() {
        FactorEntry formats = factor_of_names(
          "Formats", "all", format_names(),
          "see --list; auto: the one that is predicted quickest");
        const Pattern names = formats.pattern;
        formats.pattern     = {[names](const std::string &value) {
                             return value == "auto" || names.match(value);
                           },
                               "auto, " + names.legal};
        Factors lists       = {
                factor_of_values(
                  "Matrices", "table_2", Patterns::Anything(),
                  "names of the suite (--list), table_2 for its stand-ins for the "
                        "paper's, or files: Matrix Market, also compressed, or a copy "
                        "in binary"),
                formats,
                factor("Numbers", "all"),
                factor_of_names("Slice lanes", "32",
                                powers_of_two(SellShape::most_lanes),
                                "C of sliced formats"),
                of_integers("Slice windows", "256", 0, most,
                            "sigma of sell_c_sigma: rows that are sorted; 0: all"),
                factor_of_names("Slice threads per row", "2, 4, 8",
                                powers_of_two(SellShape::most_threads),
                                "T of ellr_t and sliced_ellr_t, C at most"),
                of_integers("Slice thresholds", "16", 1, most,
                            "entries of a thread of ell_warp_k2; all: every one "
                                  "where rows are of up to 65 lengths, else 32 in equal "
                                  "ratios",
                            {"all"}),
                factor_of_names("Block sizes", "auto", block_sizes(),
                                "threads a block of sliced formats on a device"),
                factor_of_names(
                  "Loads of x", loads[0], loads,
                  "how sliced formats load x on a device: plain in blocks "
                        "of auto alone"),
                of_integers("Matrix blocks", "1", 1, 3,
                            "blocks of entries that share a column index in csr, ell "
                                  "and sliced formats: 1: none; 2 or 3: of 2 x 2 or 3 x 3, "
                                  "filled up with zeros; auto: the largest of which a "
                                  "matrix consists",
                            {"auto"}),
                of_integers("Applications", "0", 0, 1000000,
                            "one after the other, timed together; 0: as many as "
                                  "suit")};
        benchmarks::add_options(lists, threads_per_row_options(),
                                "csr on a device");
        benchmarks::add_options(lists, values_per_thread_options(),
                                "csr_mgpu on a device");
        return lists;
      }();
      return all;
    }

    std::vector<int>
    integers(const Names &values)
    {
      std::vector<int> numbers;
      for (const std::string &value : values)
        numbers.push_back(std::stoi(value));
      return numbers;
    }

    void
    declare(Parameters &parameters)
    {
      declare_study(parameters, factors(), "20");
      parameters.declare(
        "Study/Statistics", "false", Patterns::Bool(),
        "whether matrices are described and nothing is measured");
      parameters.declare("Study/Scale", "1", Patterns::Double(1e-9, 1e3),
                         "rows of the suite's matrices, by this factor");
      parameters.declare("Study/Cache", "", Patterns::Anything(),
                         "folder of binary copies of files; empty: none");
      parameters.declare(
        "Study/Suite folder", "", Patterns::Anything(),
        "folder of files NAME.mtx or NAME.mtx.gz, each of which "
        "takes the place of the suite's matrix NAME; empty: none");
      parameters.declare("Output/Vector", "", Patterns::Anything(),
                         "Matrix Market file for x of the first matrix, number "
                         "and format; empty: none");
      parameters.declare("Output/Product", "", Patterns::Anything(),
                         "the same for y = A x");
    }

    Sweep
    make_sweep(const Study &study, const Backend backend)
    {
      const Parameters &parameters = study.parameters;
      Sweep sweep;
      sweep.backend     = backend;
      sweep.chosen_only = parameters.get("Factors/Formats") == "auto";
      sweep.formats     = sweep.chosen_only ? format_names() : study["Formats"];
      Choices &choices  = sweep.choices;
      choices.lanes     = integers(study["Slice lanes"]);
      choices.windows   = integers(study["Slice windows"]);
      choices.threads_per_row = integers(study["Slice threads per row"]);
      for (const std::string &load : study["Loads of x"])
        for (const std::string &block : study["Block sizes"])
          {
            auto &of_sell = choices.options["sell"].emplace_back();
            if (block != "auto")
              of_sell["Block size"] = block;
            if (load != loads.front())
              of_sell["Loads of x"] = load;
          }
      for (const auto &[name, set] :
           {std::pair("csr", &threads_per_row_options()),
            std::pair("csr_mgpu", &values_per_thread_options())})
        for (const std::string &value : study[set->varied_as])
          choices.options[name].push_back(set->read(value));
      for (const std::string &size : study["Matrix blocks"])
        choices.matrix_blocks.push_back(size == "auto" ? found_blocks
                                                       : std::stoi(size));
      const Names &thresholds = study["Slice thresholds"];
      choices.all_thresholds  = benchmarks::contains(thresholds, "all");
      if (!choices.all_thresholds)
        choices.thresholds = integers(thresholds);
      sweep.applications = integers(study["Applications"]);
      sweep.n_samples    = study.n_samples;
      sweep.seed         = study.seed;
      sweep.vector_file  = parameters.get("Output/Vector");
      sweep.product_file = parameters.get("Output/Product");
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
          "'Output/Vector' and 'Output/Product' name the same file '" +
          sweep.product_file + "'.");
      return sweep;
    }

    /// Measures all matrices. One that cannot be made has a row with the
    /// reason; if that holds for all, the first such error is thrown. Throws
    /// ParameterError if no row exists.
    void
    run_matrices(const Study &study, Sweep &sweep, benchmarks::Report &report,
                 Record &record)
    {
      const Parameters &parameters = study.parameters;
      const bool describe          = parameters.get_bool("Study/Statistics");
      const std::string &folder    = parameters.get("Study/Suite folder");
      if (!folder.empty() && !std::filesystem::is_directory(folder))
        throw ParameterError("'Study/Suite folder' is '" + folder +
                             "', which is no folder.");
      std::exception_ptr first;
      bool some = false;
      SparseMatrix A;
      const auto make = [&](const Variants &group) {
        const std::string name   = group.front()["Matrices"];
        const std::string source = source_of(name, folder);
        std::cerr << source
                  << (folder.empty() || source != name ? "" : ", generated")
                  << std::endl;
        A = make_matrix(source, parameters.get_double("Study/Scale"),
                        parameters.get("Study/Cache"));
        Matrix matrix = describe_matrix(source, A);
        matrix.name   = name;
        record.add(matrix);
        some = true;
      };
      const auto measure = [&](const Variants &group) {
        const std::string name = group.front()["Matrices"];
        for (const std::string &number : study["Numbers"])
          if (!describe)
            {
              if (number == "double")
                measure_matrix<double>(sweep, report, name, A);
              else
                measure_matrix<float>(sweep, report, name, A);
              sweep.vector_file = sweep.product_file = "";
            }
      };
      benchmarks::run_levels(
        study.variants_of({"Matrices"}), {{{"Matrices"}, make, measure}},
        [&](const Variants &group, const std::exception_ptr &failure) {
          if (!first)
            first = failure;
          Row row;
          row.case_name = group.front()["Matrices"];
          row.op        = "all";
          row.degree    = 0;
          row.backend   = to_string(sweep.backend);
          row.number    = "double";
          report.measure(row, [&](Row &) { std::rethrow_exception(failure); });
        });
      if (first && !some)
        std::rethrow_exception(first);
      if (record.rows().empty() && !describe)
        throw ParameterError(
          "The sweep has no row: formats, numbers, applications and the "
          "options of these formats leave nothing to measure.");
    }

    ExitCode
    run(const Parameters &parameters, const CommandLine &line, Record &record)
    {
      const Backend backend = benchmarks::begin(line);
      // Parameters are checked before anything is measured.
      Study study(parameters, factors());
      Sweep sweep     = make_sweep(study, backend);
      Names &matrices = study.values.front();
      matrices        = expand_matrices(matrices);
      if (line.validate)
        return benchmarks::valid();
      const bool describe = parameters.get_bool("Study/Statistics");
      const double bandwidth =
        describe ? not_measured : copy_bandwidth(backend);
      benchmarks::open(record, parameters, line, backend, bandwidth);

      benchmarks::Report report(record, bandwidth, study.error_limit,
                                matrix_layout());
      const auto work = [&]() { run_matrices(study, sweep, report, record); };
      if (!describe)
        return benchmarks::finish(record, report, work);
      work();
      std::cout << "Open " << record.path() << std::endl;
      return ExitCode::done;
    }
  } // namespace
} // namespace tessera::spmv

int
main(int argc, char **argv)
{
  using namespace tessera;
  return program::run_with_parameters(
    argc, argv,
    program::parameter_options("spmv_benchmark",
                               "Measures y = A x for sparse matrices in all "
                               "formats; every row has its error."),
    program::parameter_line, spmv::declare, spmv::run, {},
    spmv::matrix_table() + '\n' + spmv::format_table());
}
