#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/base/error.h>
#include <tessera/preconditioners/preconditioner.h>

#include <deal.II/lac/vector.h>

#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// Lets CG<double> on the host use a preconditioner of deal.II or Trilinos: a
  /// type with vmult(dealii::Vector<double> &, const dealii::Vector<double> &),
  /// such as dealii::SparseILU<double> or TrilinosWrappers::PreconditionAMG. It
  /// must be symmetric and positive definite, as M of conjugate gradients is.
  /// Vectors are copied, which moves 4 numbers per entry.
  template <class Type>
  class HostPreconditioner : public Preconditioner<double>
  {
  public:
    /// `M` must outlive this object. Entry i of a vector of `A` is entry
    /// `index[i]` of deal.II's vectors, which have `n` entries; other entries,
    /// such as constrained degrees of freedom, are 0. Without `index` both have
    /// the same order, like the rows that collect_rows returns. Throws
    /// ParameterError if A is on a device or `index` does not fit.
    HostPreconditioner(const Type &M, const Operator<double> &A,
                       const std::string &name, std::vector<int> index = {},
                       const int n = 0)
      : M(M), own_name(name), index(std::move(index)), n_owned(A.n_owned()),
        r(this->index.empty() ? n_owned : n), z(r.size())
    {
      if (A.backend() != Backend::host)
        throw ParameterError("The preconditioner " + name +
                             " of another library is for the host.");
      const bool fits =
        this->index.empty() || this->index.size() == std::size_t(n_owned);
      if (!fits)
        throw ParameterError("The preconditioner " + name + " has indices of " +
                             std::to_string(this->index.size()) +
                             " entries for an operator of " +
                             std::to_string(n_owned) + '.');
      for (const int i : this->index)
        if (i < 0 || i >= n)
          throw ParameterError("The preconditioner " + name +
                               " has the index " + std::to_string(i) +
                               "; legal are those from 0 to " +
                               std::to_string(n - 1) + '.');
    }

    void
    apply(Vector<double> &to, const Vector<double> &from, Stream) const override
    {
      for (int i = 0; i < n_owned; ++i)
        r[place(i)] = from.data()[i];
      M.vmult(z, r);
      for (int i = 0; i < n_owned; ++i)
        to.data()[i] = z[place(i)];
    }

    /// The traffic of the copies; the other library's traffic is unknown.
    Traffic
    traffic() const override
    {
      const std::uint64_t vector = sizeof(double) * n_owned;
      return {4 * vector, 2 * sizeof(double) * r.size()};
    }

    std::string
    name() const override
    {
      return own_name;
    }

  private:
    std::size_t
    place(const int i) const
    {
      return index.empty() ? i : index[i];
    }

    const Type &M;
    const std::string own_name;
    const std::vector<int> index;
    const int n_owned;
    mutable dealii::Vector<double> r, z;
  };
} // namespace tessera
