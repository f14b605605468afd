#include "paper_models.h"

#include <limits>

namespace tessera::benchmarks
{
  double
  transfer(const std::string &name, const int degree, const int number_bytes)
  {
    const double s = number_bytes;
    const int n    = (degree + 1) * (degree + 1);
    if (name == "ell" || name == "csr")
      return (2 * s + 4) * (degree + 2) * (degree + 2) + s +
             (name == "csr" ? 4 : 0);
    if (name == "local_matrices")
      return (s * n * n + (2 * s + 4) * n) / (degree * degree);
    return std::numeric_limits<double>::quiet_NaN();
  }

  double
  assembly_transfer(const std::string &name, const int degree,
                    const int number_bytes)
  {
    const double n     = (degree + 1) * (degree + 1);
    const double local = number_bytes * (8 + n * n + n) + 4 * n;
    if (name == "local_matrices")
      return local;
    if (name == "ell" || name == "csr")
      return local + 4 * n * n;
    return std::numeric_limits<double>::quiet_NaN();
  }

  double
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
