#include <tessera/matrix/elimination.h>

#include <stdexcept>

#include "elimination_kernels.h"

namespace tessera
{
  template <class Number>
  void
  zero_rows_and_columns(RowMatrix<Number> &matrix,
                        const Array<unsigned char> &constrained,
                        const Vector<Number> &g, Vector<Number> &b,
                        const Stream stream)
  {
    const int n = matrix.n_rows();
    if (constrained.size() != static_cast<std::size_t>(n) || g.n_owned() != n ||
        b.n_owned() != n)
      throw std::length_error("zero_rows_and_columns: sizes differ");
    on_target(matrix.backend(), [&](const auto target) {
      eliminate(target,
                Elimination<Number>{matrix.entries(), constrained.data(),
                                    g.data(), b.data()},
                stream);
    });
  }

#define INSTANTIATE(Number)                                                    \
  template void zero_rows_and_columns<Number>(                                 \
    RowMatrix<Number> &, const Array<unsigned char> &, const Vector<Number> &, \
    Vector<Number> &, Stream);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera
