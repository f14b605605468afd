#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>

#include <limits>

namespace tessera::models
{
  namespace
  {
    int
    local_dofs(const int degree)
    {
      return (degree + 1) * (degree + 1);
    }

    int
    symmetric_entries(const int n)
    {
      return n * (n + 1) / 2;
    }

    /// Bytes of stored entries, indices of the cells, x and y.
    double
    cell_matrices(const int degree, const int s, const int entries)
    {
      return (s * entries + 4. * local_dofs(degree)) / (degree * degree) +
             4. * s;
    }

    /// Bytes of degrees of freedom, vertices and their indices, per cell.
    double
    mesh_data(const int degree, const int s)
    {
      return 4. * local_dofs(degree) + 2. * s + (degree > 1 ? 16. : 0.);
    }
  } // namespace

  double
  csr(const int degree, const int number_bytes)
  {
    return (number_bytes + 4.) * (degree + 2) * (degree + 2) +
           2. * number_bytes + 4.;
  }

  double
  coo(const int degree, const int number_bytes)
  {
    return (number_bytes + 8.) * (degree + 2) * (degree + 2) +
           2. * number_bytes;
  }

  double
  lazy_ell(const int degree, const int number_bytes)
  {
    const double n = local_dofs(degree);
    return (number_bytes + 4) * n * n / (degree * degree) + 2 * number_bytes +
           4;
  }

  double
  local_matrices(const int degree, const int number_bytes)
  {
    const int n = local_dofs(degree);
    return cell_matrices(degree, number_bytes, n * n);
  }

  double
  local_matrices_symmetric(const int degree, const int number_bytes)
  {
    return cell_matrices(degree, number_bytes,
                         symmetric_entries(local_dofs(degree)));
  }

  double
  matrix_free(const int degree, const int number_bytes)
  {
    return 4. * number_bytes +
           mesh_data(degree, number_bytes) / (degree * degree);
  }

  double
  application(const std::string &name, const int degree, const int number_bytes)
  {
    for (const OperatorDescriptor &d : descriptors())
      if (d.name == name && d.model)
        return d.model(degree, number_bytes);
    return std::numeric_limits<double>::quiet_NaN();
  }

  double
  transfer(const std::string &name, const int degree, const int number_bytes)
  {
    const double s = number_bytes;
    const int n    = local_dofs(degree);
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
    const double n     = local_dofs(degree);
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

  double
  assembly(const std::string &name, const int degree, const int number_bytes)
  {
    const int n           = local_dofs(degree);
    const double vertices = 16. + 2. * number_bytes;
    if (descriptor(name).has_pattern())
      {
        const int nonzeros = degree * degree * (degree + 2) * (degree + 2);
        return mesh_data(degree, number_bytes) +
               static_cast<double>(number_bytes) * nonzeros + n * n;
      }
    if (name == "lazy_ell")
      return mesh_data(degree, number_bytes) + (number_bytes + 4.) * n * n +
             8. * degree * degree;
    if (name == "local_matrices")
      return vertices + static_cast<double>(number_bytes) * n * n;
    if (name == "local_matrices_symmetric")
      return vertices +
             static_cast<double>(number_bytes) * symmetric_entries(n);
    return std::numeric_limits<double>::quiet_NaN();
  }

  double
  matrix_free_flops(const int degree)
  {
    const double k = degree + 1;
    return 16 * k * k * k + 40 * k * k;
  }
} // namespace tessera::models
