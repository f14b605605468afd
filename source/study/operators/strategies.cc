#include <tessera/assembly/strategy.h>

// Strategies of assembly that papers compare. Their kernels are registered for
// each form by source/study/kernels/strategy_kernels.cc.
namespace tessera
{
  namespace
  {
    StrategyDescriptor
    describe_redundant_compute()
    {
      return {"redundant_compute",
              "computes the metric again for every row of entries: no local "
              "storage",
              "RegulyGiles2015, sections 4.1 and 10.1"};
    }

    StrategyDescriptor
    describe_global_reuse()
    {
      return {"global_reuse",
              "computes the metric once per point and adds the share of that "
              "point to all entries where they are stored: no local storage",
              "RegulyGiles2015, sections 4.1 and 10.1"};
    }

    const Registration<StrategyDescriptor> redundant_compute_registration(
      describe_redundant_compute);
    const Registration<StrategyDescriptor> global_reuse_registration(
      describe_global_reuse);
  } // namespace
} // namespace tessera
