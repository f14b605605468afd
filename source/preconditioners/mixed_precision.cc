#include <tessera/base/convert.h>
#include <tessera/preconditioners/mixed_precision.h>

namespace tessera
{
  MixedPrecision::MixedPrecision(
    std::unique_ptr<const Operator<float>> A_in,
    std::unique_ptr<const Preconditioner<float>> M_in)
    : A(std::move(A_in)), M(std::move(M_in)), r_float(A->make_vector()),
      z_float(A->make_vector())
  {}

  void
  MixedPrecision::apply(Vector<double> &z, const Vector<double> &r,
                        const Stream stream) const
  {
    convert(r_float, r, 1., stream);
    M->apply(z_float, r_float, stream);
    convert(z, z_float, 1., stream);
  }

  bool
  MixedPrecision::set_start(Vector<double> &x, const Vector<double> &b,
                            const Stream stream) const
  {
    convert(r_float, b, 1., stream);
    z_float.zero(stream);
    if (!M->set_start(z_float, r_float, stream))
      return false;
    convert(x, z_float, 1., stream);
    return true;
  }

  Traffic
  MixedPrecision::traffic() const
  {
    const std::uint64_t entries = A->n_owned();
    const Traffic of_float      = M->traffic();
    return {
      of_float.compulsory + 2 * entries * (sizeof(double) + sizeof(float)),
      of_float.stored + A->traffic().stored + 2 * entries * sizeof(float)};
  }
} // namespace tessera
