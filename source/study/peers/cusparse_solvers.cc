#include "cusparse_peer.h"

namespace tessera::benchmarks
{
  namespace
  {
    PeerDescriptor
    describe_cg(const std::string &name, const std::string &preconditioner,
                const CusparseM M, const std::string &words)
    {
      PeerDescriptor d{
        name,
        "conjugate gradients of cuSPARSE and cuBLAS as a text book writes "
        "them, " +
          words,
        "cuSPARSE",
        {"solve"}};
      d.works_with.host = d.works_with.several_processes = false;
      d.preconditioner                                   = preconditioner;
      const auto make = [M](const auto &A, const auto &diagonal) {
        return make_cusparse_cg(A, diagonal, M);
      };
      d.solvers = {make, make};
      return d;
    }

    const Registration<PeerDescriptor> none_registration([]() {
      return describe_cg("cusparse_none", "none", CusparseM::none,
                         "without a preconditioner");
    });
    const Registration<PeerDescriptor> jacobi_registration([]() {
      return describe_cg("cusparse_jacobi", "jacobi", CusparseM::jacobi,
                         "with the diagonal of A");
    });
    const Registration<PeerDescriptor> ic0_registration([]() {
      return describe_cg("cusparse_ic0", "ic0", CusparseM::ic0,
                         "with an incomplete Cholesky factorisation");
    });
    const Registration<PeerDescriptor> ilu0_registration([]() {
      return describe_cg("cusparse_ilu0", "ilu0", CusparseM::ilu0,
                         "with an incomplete LU factorisation");
    });
  } // namespace
} // namespace tessera::benchmarks
