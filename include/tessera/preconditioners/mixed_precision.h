#pragma once

#include <tessera/preconditioners/preconditioner.h>

#include <memory>

namespace tessera
{
  /// A preconditioner in float for a solve in double (ZhangZhang2013, algorithm
  /// 6): z = M^-1 r, where r is rounded to float before and z is converted
  /// afterwards. Residuals must lie in the range of float, as for a right-hand
  /// side of moderate size.
  ///
  /// The conversions move 24 bytes per entry.
  class MixedPrecision : public Preconditioner<double>
  {
  public:
    /// Takes ownership of M and of the operator that M reads. `A` gives the
    /// shape of vectors.
    MixedPrecision(std::unique_ptr<const Operator<float>> A,
                   std::unique_ptr<const Preconditioner<float>> M);

    void
    apply(Vector<double> &z, const Vector<double> &r,
          Stream stream) const override;

    bool
    set_start(Vector<double> &x, const Vector<double> &b,
              Stream stream) const override;

    Traffic
    traffic() const override;

    std::string
    name() const override
    {
      return M->name();
    }

    int
    n_colors() const override
    {
      return M->n_colors();
    }

    Patience
    patience() const override
    {
      return M->patience();
    }

    RecordValues
    parameters() const override
    {
      return M->parameters();
    }

    const Operator<float> &
    inner_operator() const
    {
      return *A;
    }

  private:
    std::unique_ptr<const Operator<float>> A;
    std::unique_ptr<const Preconditioner<float>> M;
    mutable Vector<float> r_float, z_float;
  };
} // namespace tessera
