#include "cusparse_peer.h"

namespace tessera::benchmarks
{
  namespace
  {
    PeerDescriptor
    describe_cusparse()
    {
      PeerDescriptor d{
        "cusparse",
        "cuSPARSE on the arrays of csr: compressed rows, coordinates, sliced "
        "ELLPACK and blocks",
        "cuSPARSE",
        {"application", "cg"}};
      d.works_with.host = d.works_with.several_processes = false;
      d.products                                         = cusparse_products();
      return d;
    }

    const Registration<PeerDescriptor> cusparse_registration(describe_cusparse);
  } // namespace
} // namespace tessera::benchmarks
