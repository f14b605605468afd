#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>
#include <tessera/fem/driver/linear_system.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/store_matrix.h>
#include <tessera/matrix/vertex_prolongation.h>
#include <tessera/operators/row_operator.h>
#include <tessera/parallel/owned_rows.h>
#include <tessera/parallel/write_together.h>
#include <tessera/program/program.h>

#include <charconv>
#include <functional>
#include <limits>
#include <ostream>
#include <string>

namespace tessera
{
  namespace
  {
    /// Sections of the files; the sections of the matrix follow.
    constexpr int section_of_places = 0, section_of_right_side = 1,
                  n_own_sections = 2;

    std::string
    file_of_places(const std::string &matrix_file)
    {
      return matrix_file + ".rows.csv";
    }

    std::string
    file_of_right_side(const std::string &matrix_file)
    {
      return matrix_file + ".rhs.mtx";
    }

    /// Passes on a text in large pieces, number by number.
    class NumberText
    {
    public:
      explicit NumberText(const TakeBytes &take) : take(take)
      {}

      template <class T>
      void
      put(const T value, const char end)
      {
        char digits[32];
        text.append(digits, std::to_chars(digits, digits + 32, value).ptr);
        text += end;
        if (text.size() > piece)
          flush();
      }

      void
      flush()
      {
        take(text.data(), text.size());
        text.clear();
      }

    private:
      static constexpr std::size_t piece = 1 << 20;
      const TakeBytes &take;
      std::string text;
    };

    /// Produces the lines that say where the rows of this process are.
    void
    produce_places(const Space &space, const std::int64_t first_row,
                   const TakeBytes &take)
    {
      const std::vector<double> positions = node_positions(space);
      NumberText text(take);
      const int n = space.n_components, dim = space.dim();
      for (int row = 0; row < space.n_owned * n; ++row)
        {
          text.put(first_row + row + 1, ',');
          text.put(row % n, ',');
          for (int d = 0; d < dim; ++d)
            text.put(positions[std::size_t(row / n) * dim + d],
                     d + 1 < dim ? ',' : '\n');
        }
      text.flush();
    }

    /// Writes a file of which `collect` produces one section, and calls `then`
    /// before the file takes its place.
    void
    write_section(const std::string &file, const std::string &what,
                  const std::string &head, const int section,
                  const CollectBytes &collect,
                  const std::function<void()> &then)
    {
      write_file(file, what, [&](std::ostream &out) {
        out << head;
        collect(section, [&](const char *const text, const std::size_t n) {
          out.write(text, static_cast<std::streamsize>(n));
        });
        out.flush();
        if (out)
          then();
      });
    }

    /// Writes all files, so that the files of an earlier run stay if one of
    /// them cannot be written.
    void
    write_rows(const MatrixPart &part, const Space &space,
               const std::string &file, const CollectBytes &collect)
    {
      const auto write_matrix = [&]() {
        store_matrix(part, file, [&](const int section, const TakeBytes &take) {
          collect(section + n_own_sections, take);
        });
      };
      const auto write_right_side = [&]() {
        write_section(file_of_right_side(file), "right-hand side",
                      "%%MatrixMarket matrix array real general\n" +
                        std::to_string(part.n_rows) + " 1\n",
                      section_of_right_side, collect, write_matrix);
      };
      write_section(file_of_places(file), "file of rows",
                    space.dim() == 2 ? "row,component,x,y\n"
                                     : "row,component,x,y,z\n",
                    section_of_places, collect, write_right_side);
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

    template <class Number>
    void
    store_rows(const SolverCase &this_case, const RowMatrix<Number> &rows,
               const Vector<Number> &b)
    {
      program::progress("matrix: " + this_case.matrix_file, true);
      const std::vector<Number> right_side = b.to_vector();
      const Space &space                   = *this_case.space;
      const Processes &processes           = this_case.division.processes();
      SparseMatrix matrix;
      this_case.collectively([&]() { matrix = matrix_of_owned(rows, space); });
      const int n = space.n_components;
      check_number_of_rows(share(processes, space.n_owned).all * n);
      if (processes.size() > 1)
        matrix = owned_rows(processes, matrix, this_case.others->shared,
                            space.n_owned, n);
      const MatrixPart part      = part_of_all(processes, matrix);
      const CollectBytes produce = [&](const int section,
                                       const TakeBytes &take) {
        if (section == section_of_places)
          produce_places(space, part.first_row, take);
        else if (section == section_of_right_side)
          {
            NumberText text(take);
            for (int row = 0; row < part.rows.n_rows(); ++row)
              text.put(double(right_side[row]), '\n');
            text.flush();
          }
        else
          produce_part(part, this_case.matrix_file, section - n_own_sections,
                       take);
      };
      write_together(
        processes,
        [&](const CollectBytes &collect) {
          write_rows(part, space, this_case.matrix_file, collect);
        },
        produce);
    }
  } // namespace


  void
  check_can_store_rows(const std::string &matrix_file, const Division &division)
  {
    division.processes().collectively([&]() {
      if (!division.writes())
        return;
      check_can_store(matrix_file);
      if (!can_replace(file_of_places(matrix_file)))
        throw ParameterError("The file '" + file_of_places(matrix_file) +
                             "', which says where the rows of the matrix are, "
                             "cannot be written.");
      if (!can_replace(file_of_right_side(matrix_file)))
        throw ParameterError("The file '" + file_of_right_side(matrix_file) +
                             "' of the right-hand side cannot be written.");
    });
  }


  template <class Number>
  void
  LinearSystem<Number>::with_rows(
    const std::function<void(const RowMatrix<Number> &)> &f) const
  {
    std::unique_ptr<Operator<Number>> assembled;
    const auto *row_operator = A->as_rows();
    if (row_operator == nullptr)
      {
        assembled    = make_operator("csr", {});
        row_operator = assembled->as_rows();
      }
    f(row_operator->matrix());
  }


  template <class Number>
  void
  LinearSystem<Number>::store_matrix(const Vector<Number> &b) const
  {
    if (!this_case.matrix_file.empty())
      with_rows(
        [&](const RowMatrix<Number> &rows) { store_rows(this_case, rows, b); });
  }


  template void
  LinearSystem<double>::with_rows(
    const std::function<void(const RowMatrix<double> &)> &) const;
  template void
  LinearSystem<float>::with_rows(
    const std::function<void(const RowMatrix<float> &)> &) const;
  template void
  LinearSystem<double>::store_matrix(const Vector<double> &) const;
  template void
  LinearSystem<float>::store_matrix(const Vector<float> &) const;
} // namespace tessera
