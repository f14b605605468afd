#include "solver.h"

#include <tessera/base/error.h>

namespace tessera::benchmarks
{
  std::vector<std::string>
  cusparse_cg_preconditioners()
  {
    return {};
  }

  template <class Number>
  std::unique_ptr<Solver<Number>>
  make_cusparse_cg(const CsrMatrix<Number> &, const Vector<Number> &,
                   const std::string &)
  {
    throw DeviceError("cuSPARSE is not in this build.");
  }

  template std::unique_ptr<Solver<double>>
  make_cusparse_cg(const CsrMatrix<double> &, const Vector<double> &,
                   const std::string &);
  template std::unique_ptr<Solver<float>>
  make_cusparse_cg(const CsrMatrix<float> &, const Vector<float> &,
                   const std::string &);
} // namespace tessera::benchmarks
