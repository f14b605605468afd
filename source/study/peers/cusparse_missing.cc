#include "cusparse_peer.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  std::vector<PeerProduct>
  cusparse_products()
  {
    return {};
  }

  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &, const Vector<Number> &, CusparseM)
  {
    throw DeviceError("cuSPARSE is not in this build.");
  }

  template std::unique_ptr<Solver<double>>
  make_cusparse_cg(const CsrMatrix<double> &, const Vector<double> &,
                   CusparseM);
  template std::unique_ptr<Solver<float>>
  make_cusparse_cg(const CsrMatrix<float> &, const Vector<float> &, CusparseM);
} // namespace tessera::benchmarks
