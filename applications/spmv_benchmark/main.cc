// Measures products of any sparse matrix in every format (WongKuhlDarve2015),
// without deal.II.
#include "formats.h"
#include "matrices.h"
#include "rows.h"

#include <tessera/base/replace_file.h>
#include <tessera/program/program.h>

#include <filesystem>
#include <iostream>

namespace tessera::spmv
{
  using namespace program;

  using benchmarks::Variants;

  namespace
  {
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

    /// Throws ParameterError for files that cannot be written.
    Files
    files_of(const Parameters &parameters)
    {
      const Files files = {parameters.get("Output/Vector"),
                           parameters.get("Output/Product")};
      for (const std::string &file : {files.x, files.y})
        if (!file.empty() && !can_replace(file))
          throw ParameterError("The file '" + file + "' cannot be written.");
      const auto place = [](const std::string &file) {
        return std::filesystem::weakly_canonical(
          std::filesystem::absolute(file));
      };
      if (!files.x.empty() && !files.y.empty() &&
          place(files.x) == place(files.y))
        throw ParameterError(
          "'Output/Vector' and 'Output/Product' name the same file '" +
          files.y + "'.");
      return files;
    }

    /// Measures all matrices. One that cannot be made has a row with the
    /// reason; if that holds for all, the first such error is thrown. Throws
    /// ParameterError if no row exists.
    void
    run_matrices(const Study &study, const Backend backend, Files files,
                 benchmarks::Report &report, Record &record)
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
                measure_matrix<double>(study, backend, files, report, name, A);
              else
                measure_matrix<float>(study, backend, files, report, name, A);
              files = {};
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
          row.backend   = to_string(backend);
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
      const Files files = files_of(parameters);
      Names &matrices   = study.values.front();
      matrices          = expand_matrices(matrices);
      if (line.validate)
        return benchmarks::valid();
      const bool describe = parameters.get_bool("Study/Statistics");
      const double bandwidth =
        describe ? not_measured : copy_bandwidth(backend);
      benchmarks::open(record, parameters, line, backend, bandwidth);

      benchmarks::Report report(record, bandwidth, study.error_limit,
                                matrix_layout());
      const auto work = [&]() {
        run_matrices(study, backend, files, report, record);
      };
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
