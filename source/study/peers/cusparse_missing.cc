#include "cusparse_peer.h"
#include "solver.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  namespace
  {
    [[noreturn]] void
    refuse_cusparse()
    {
      throw DeviceError("cuSPARSE is not in this build.");
    }
  } // namespace

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
    refuse_cusparse();
  }

  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &, const Vector<Number> &,
                   const std::string &)
  {
    refuse_cusparse();
  }

#define INSTANTIATE(Number)                                  \
  template std::unique_ptr<Operator<Number>> make_cusparse(  \
    const CsrMatrix<Number> &, int, const std::string &);    \
  template std::unique_ptr<Solver<Number>> make_cusparse_cg( \
    const CsrMatrix<Number> &, const Vector<Number> &, const std::string &);
  INSTANTIATE(double)
  INSTANTIATE(float)
#undef INSTANTIATE
} // namespace tessera::benchmarks
