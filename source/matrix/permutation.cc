#include <tessera/matrix/permutation.h>

#include <stdexcept>

#include "permutation.cuh"

namespace tessera
{
  template <class Number>
  void
  permute(Vector<Number> &to, const Vector<Number> &from,
          const Array<int> &order, const Stream stream)
  {
    const int n = from.n_owned();
    if (&to == &from || to.n_owned() != n ||
        order.size() != static_cast<std::size_t>(n))
      throw std::length_error("permute: vectors and order do not fit");
    for_each(from.backend(), n,
             Permutation<Number>{to.data(), from.data(), order.data()}, stream);
  }


  template void
  permute<double>(Vector<double> &, const Vector<double> &, const Array<int> &,
                  Stream);
  template void
  permute<float>(Vector<float> &, const Vector<float> &, const Array<int> &,
                 Stream);
} // namespace tessera
