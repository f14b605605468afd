#include "system.h"

#include <tessera/base/counted.h>
#include <tessera/base/error.h>
#include <tessera/base/random.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/matrix/matrix_market.h>
#include <tessera/operators/factory.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

using namespace tessera;

namespace
{
  /// Returns the place of an entry, or -1.
  std::int64_t
  find(const SparseMatrix &A, const int row, const int column)
  {
    const auto begin = A.pattern.columns.begin() + A.pattern.row_start[row];
    const auto end   = A.pattern.columns.begin() + A.pattern.row_start[row + 1];
    const auto found = std::lower_bound(begin, end, column);
    return found == end || *found != column ? -1
                                            : found - A.pattern.columns.begin();
  }

  /// Throws MatrixError for what conjugate gradients cannot solve with. Entries
  /// count as equal if they differ by rounding.
  void
  check_system(const SparseMatrix &A, const std::string &file)
  {
    const auto refuse = [&](const std::string &why) {
      throw MatrixError("The matrix file '" + file + "' has " + why + '.');
    };
    if (A.n_rows() != A.n_columns || A.n_rows() == 0)
      refuse(counted(A.n_rows(), "row") + " and " +
             counted(A.n_columns, "column") +
             ", but a system needs a square matrix with rows");
    const auto place = [](const int row, const int column) {
      return "row " + std::to_string(row + 1) + ", column " +
             std::to_string(column + 1);
    };
    for (int row = 0; row < A.n_rows(); ++row)
      {
        const auto diagonal = find(A, row, row);
        if (diagonal < 0 || !(A.values[diagonal] > 0))
          refuse("no positive entry in " + place(row, row) +
                 ", so that it is not positive definite");
        for (auto k = A.pattern.row_start[row];
             k < A.pattern.row_start[row + 1]; ++k)
          {
            const int column          = A.pattern.columns[k];
            const auto mirror         = find(A, column, row);
            const double a            = A.values[k];
            const double other        = mirror < 0 ? 0 : A.values[mirror];
            const auto other_diagonal = find(A, column, column);
            const double size =
              other_diagonal < 0
                ? 0.
                : std::sqrt(A.values[diagonal] *
                            std::abs(A.values[other_diagonal]));
            if (std::abs(a - other) > 1e-12 * std::max(std::abs(a), size))
              refuse("different entries in " + place(row, column) + " and " +
                     place(column, row) + ", so that it is not symmetric");
          }
      }
  }

  class MatrixSystem : public System
  {
  public:
    MatrixSystem(const FileSystem &files, const Backend where,
                 const std::uint64_t seed)
      : files(files)
    {
      backend                      = where;
      std::vector<double> solution = files.solution;
      if (solution.empty() && files.right_hand_side.empty())
        {
          RandomSequence random(seed);
          for (int i = 0; i < files.matrix.n_rows(); ++i)
            solution.push_back(static_cast<float>(2 * random.uniform() - 1));
        }
      Made<double> reference;
      make(reference, "csr", false);
      set(std::move(reference), std::move(solution), files.right_hand_side,
          files.matrix.pattern.max_row_length());
    }

    void
    make(Made<double> &A, const std::string &name, bool) const override
    {
      make_rows(A, name);
    }

    void
    make(Made<float> &A, const std::string &name, bool) const override
    {
      check_fits<float>(files.matrix);
      make_rows(A, name);
    }

    program::Row
    row() const override
    {
      program::Row row;
      row.case_name = files.name;
      row.degree    = 0;
      row.dofs      = files.matrix.n_rows();
      return row;
    }

  private:
    template <class Number>
    void
    make_rows(Made<Number> &A, const std::string &name) const
    {
      A = make_row_operator<Number>(name, files.matrix, backend);
      if (backend == Backend::cuda)
        runtime::synchronize({});
    }

    const FileSystem &files;
  };
} // namespace


FileSystem
read_system(const std::string &matrix, const std::string &right_hand_side,
            const std::string &solution)
{
  FileSystem result;
  result.name   = std::filesystem::path(matrix).filename().string();
  result.matrix = load_matrix(matrix);
  check_system(result.matrix, matrix);
  const int n     = result.matrix.n_rows();
  const auto read = [&](const std::string &file) {
    if (file.empty())
      return std::vector<double>();
    std::vector<double> values = read_market_vector(file);
    if (static_cast<int>(values.size()) != n)
      throw MatrixError(
        "The file '" + file + "' has " + counted(values.size(), "entry") +
        ", but the matrix of '" + matrix + "' has " + counted(n, "row") + ".");
    if (std::all_of(values.begin(), values.end(),
                    [](const double value) { return value == 0; }))
      throw MatrixError("The file '" + file +
                        "' has zeros alone, to which no error is relative.");
    return values;
  };
  result.right_hand_side = read(right_hand_side);
  result.solution        = read(solution);
  return result;
}


std::unique_ptr<System>
make_file_system(const FileSystem &files, const Backend backend,
                 const std::uint64_t seed)
{
  return std::make_unique<MatrixSystem>(files, backend, seed);
}
