#include <tessera/base/convert.h>

#include <stdexcept>

#include "convert.cuh"

namespace tessera
{
  namespace
  {
    template <class To, class From>
    void
    check(const Vector<To> &to, const Vector<From> &from)
    {
      if (to.n_owned() != from.n_owned() || to.backend() != from.backend())
        throw std::length_error(
          "convert: vectors of different sizes or backends");
    }
  } // namespace

  template <class To, class From>
  void
  convert(Vector<To> &to, const Vector<From> &from, const double factor,
          const Stream stream)
  {
    check(to, from);
    for_each(to.backend(), to.n_owned(),
             Conversion<To, From>{to.data(), from.data(), factor}, stream);
  }

  void
  add_converted(Vector<double> &to, const Vector<float> &from,
                const double factor, const Stream stream)
  {
    check(to, from);
    for_each(to.backend(), to.n_owned(),
             ConvertedAddition{to.data(), from.data(), factor}, stream);
  }

  template void
  convert<float, double>(Vector<float> &, const Vector<double> &, double,
                         Stream);
  template void
  convert<double, float>(Vector<double> &, const Vector<float> &, double,
                         Stream);
} // namespace tessera
