#include "cusparse_peer.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  std::vector<std::string>
  cusparse_algorithms()
  {
    return {};
  }

  std::vector<std::string>
  cusparse_block_algorithms()
  {
    return {};
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_cusparse(const CsrMatrix<Number> &, int, const std::string &)
  {
    throw DeviceError("cuSPARSE is not in this build.");
  }

  template std::unique_ptr<Operator<double>>
  make_cusparse(const CsrMatrix<double> &, int, const std::string &);
  template std::unique_ptr<Operator<float>>
  make_cusparse(const CsrMatrix<float> &, int, const std::string &);
} // namespace tessera::benchmarks
