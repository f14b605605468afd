#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/fem/driver/linear_solver.h>
#include <tessera/matrix/store_matrix.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/parallel/owned_rows.h>
#include <tessera/parallel/write_together.h>
#include <tessera/program/program.h>

#include <charconv>
#include <limits>
#include <ostream>

namespace tessera
{
  namespace
  {
    constexpr int section_of_places = 0; ///< those of a matrix follow

    std::string
    file_of_places(const std::string &matrix_file)
    {
      return matrix_file + ".rows.csv";
    }

    /// Produces the lines that say where the rows of this process are.
    void
    produce_places(const Space &space, const std::int64_t first_row,
                   const TakeBytes &take)
    {
      constexpr std::size_t piece = 1 << 20, longest_line = 128;
      const std::vector<double> positions = node_positions(space);
      std::string text;
      const auto put = [&](const auto value) {
        char digits[32];
        text.append(digits, std::to_chars(digits, digits + 32, value).ptr);
      };
      const int n = space.n_components, dim = space.dim();
      for (int row = 0; row < space.n_owned * n; ++row)
        {
          put(first_row + row + 1);
          text += ',';
          put(row % n);
          for (int d = 0; d < dim; ++d)
            {
              text += ',';
              put(positions[std::size_t(row / n) * dim + d]);
            }
          text += '\n';
          if (text.size() + longest_line > piece)
            {
              take(text.data(), text.size());
              text.clear();
            }
        }
      take(text.data(), text.size());
    }

    /// Writes both files, so that those of an earlier run stay if one of them
    /// cannot be written.
    void
    write_rows(const MatrixPart &part, const Space &space,
               const std::string &file, const CollectBytes &collect)
    {
      write_file(file_of_places(file), "file of rows", [&](std::ostream &out) {
        out << (space.dim() == 2 ? "row,component,x,y\n"
                                 : "row,component,x,y,z\n");
        collect(section_of_places,
                [&](const char *const text, const std::size_t n) {
                  out.write(text, static_cast<std::streamsize>(n));
                });
        out.flush();
        if (out)
          store_matrix(part, file,
                       [&](const int section, const TakeBytes &take) {
                         collect(section + 1, take);
                       });
      });
    }

    void
    check_number_of_rows(const std::int64_t n_rows)
    {
      constexpr std::int64_t most = std::numeric_limits<int>::max() - 1;
      if (n_rows > most)
        throw ParameterError(
          "--export-matrix writes at most " + std::to_string(most) +
          " rows, and the matrix has " + std::to_string(n_rows) + '.');
    }

    MatrixPart
    part_of_all(const Processes &processes, const SparseMatrix &matrix)
    {
      const Share rows    = share(processes, matrix.n_rows());
      const Share entries = share(processes, matrix.n_nonzeros());
      MatrixPart part(matrix);
      part.first_row   = static_cast<int>(rows.before);
      part.first_entry = entries.before;
      part.n_rows      = static_cast<int>(rows.all);
      part.n_entries   = entries.all;
      return part;
    }
  } // namespace


  void
  check_can_store_rows(const std::string &matrix_file,
                       const Division *const division)
  {
    const auto check = [&]() {
      check_can_store(matrix_file);
      if (!can_replace(file_of_places(matrix_file)))
        throw ParameterError("The file '" + file_of_places(matrix_file) +
                             "', which says where the rows of the matrix are, "
                             "cannot be written.");
    };
    if (division == nullptr)
      return check();
    division->processes().together([&]() {
      if (division->writes())
        check();
    });
  }


  template <class Number>
  void
  store_rows(const DiscreteProblem &problem, const RowMatrix<Number> &rows)
  {
    program::progress("matrix: " + problem.matrix_file, true);
    const Space &space = *problem.space;
    const Processes *const processes =
      problem.division == nullptr ? nullptr : &problem.division->processes();
    SparseMatrix matrix;
    problem.together([&]() { matrix = matrix_of_owned(rows, space); });
    if (processes != nullptr)
      {
        const int n = space.n_components;
        check_number_of_rows(share(*processes, space.n_owned).all * n);
        matrix =
          owned_rows(*processes, matrix, problem.shared, space.n_owned, n);
      }
    const MatrixPart part      = processes == nullptr
                                   ? MatrixPart(matrix)
                                   : part_of_all(*processes, matrix);
    const CollectBytes produce = [&](const int section, const TakeBytes &take) {
      if (section == section_of_places)
        produce_places(space, part.first_row, take);
      else
        produce_part(part, problem.matrix_file, section - 1, take);
    };
    const auto write = [&](const CollectBytes &collect) {
      write_rows(part, space, problem.matrix_file, collect);
    };
    if (processes == nullptr)
      write(produce);
    else
      write_together(*processes, write, produce);
  }


  template void
  store_rows(const DiscreteProblem &, const RowMatrix<double> &);
  template void
  store_rows(const DiscreteProblem &, const RowMatrix<float> &);
} // namespace tessera
