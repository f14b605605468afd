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
  } // namespace

  double
  csr(const int degree, const int number_bytes)
  {
    return (number_bytes + 4.) * (degree + 2) * (degree + 2) +
           2. * number_bytes + 4.;
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
  mesh_data(const int degree, const int number_bytes)
  {
    return 4. * local_dofs(degree) + 2. * number_bytes +
           (degree > 1 ? 16. : 0.);
  }

  double
  assembly(const std::string &name, const int degree, const int number_bytes)
  {
    const OperatorDescriptor &d = descriptor(name);
    if (d.assembly_model)
      return d.assembly_model(degree, number_bytes);
    if (!d.has_pattern())
      return std::numeric_limits<double>::quiet_NaN();
    const int n        = local_dofs(degree);
    const int nonzeros = degree * degree * (degree + 2) * (degree + 2);
    return mesh_data(degree, number_bytes) +
           static_cast<double>(number_bytes) * nonzeros + n * n;
  }

  double
  matrix_free_flops(const int degree)
  {
    const double k = degree + 1;
    return 16 * k * k * k + 40 * k * k;
  }
} // namespace tessera::models
