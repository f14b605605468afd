#pragma once

#include <limits>
#include <map>
#include <string>

// The bytes that RegulyGiles2015 counts for quadrilaterals, in terms of its
// equations; operators/models.h has our bytes. They are NaN for operators
// and kinds that the paper does not have.
namespace tessera::benchmarks
{
  /// What the paper counts for an operator.
  struct PaperModel
  {
    bool by_rows;     ///< indices of entries; otherwise cell matrices
    int bytes_of_row; ///< where its entries begin
  };

  inline const std::map<std::string, PaperModel> paper_models = {
    {"csr", {true, 4}}, {"ell", {true, 0}}, {"local_matrices", {false, 0}}};

  /// The bytes per degree of freedom according to RegulyGiles2015, equations 14
  /// to 19, which count differently: 4-byte indices, x once for every stored
  /// entry, and nothing for the scatter.
  /// - ell: (2 s + 4) (p+2)^2 + s; csr: 4 more for the row;
  /// - local_matrices: (s n^2 + (2 s + 4) n) / p^2.
  /// Table 1 of the paper lists the ratios to local_matrices.
  inline double
  transfer(const std::string &name, const int degree, const int number_bytes)
  {
    const double s   = number_bytes;
    const int n      = (degree + 1) * (degree + 1);
    const auto model = paper_models.find(name);
    if (model == paper_models.end())
      return std::numeric_limits<double>::quiet_NaN();
    if (model->second.by_rows)
      return (2 * s + 4) * (degree + 2) * (degree + 2) + s +
             model->second.bytes_of_row;
    return (s * n * n + (2 * s + 4) * n) / (degree * degree);
  }

  /// The bytes per cell of assembly according to RegulyGiles2015, equations 15
  /// and 16: s (8 + n^2 + n) + 4 n for the coordinates of four vertices,
  /// mapping, matrix and load vector, and 4 n^2 more for indices with csr and
  /// ell.
  inline double
  assembly_transfer(const std::string &name, const int degree,
                    const int number_bytes)
  {
    const double n   = (degree + 1) * (degree + 1);
    const auto model = paper_models.find(name);
    if (model == paper_models.end())
      return std::numeric_limits<double>::quiet_NaN();
    return number_bytes * (8 + n * n + n) + 4 * n +
           (model->second.by_rows ? 4 * n * n : 0);
  }

  /// Returns `transfer` or `assembly_transfer` in bytes for a whole mesh of
  /// quadrilaterals. `kind` is `application` or `assembly`.
  inline double
  paper_bytes(const std::string &kind, const std::string &name,
              const int degree, const int number_bytes, const double n_dofs,
              const double n_cells)
  {
    return kind == "application" ? transfer(name, degree, number_bytes) * n_dofs
           : kind == "assembly"
             ? assembly_transfer(name, degree, number_bytes) * n_cells
             : std::numeric_limits<double>::quiet_NaN();
  }
} // namespace tessera::benchmarks
