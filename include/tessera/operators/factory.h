#pragma once

#include <tessera/assembly/boundary_terms.h>
#include <tessera/assembly/options.h>
#include <tessera/forms/coefficient.h>
#include <tessera/operators/operator.h>
#include <tessera/space/cell_data.h>
#include <tessera/space/tail.h>

#include <memory>

namespace tessera
{
  /// Names of `operators.def`, in its order.
  std::vector<std::string>
  operator_names();

  /// The operator of that name for -div(kappa grad u), assembled where it
  /// stores something, with what faces of the `boundary` add to it. Seconds
  /// spent on the pattern and on the values are added to `options.timing` where
  /// that is given. Throws ParameterError for an unknown name, naming the legal
  /// ones.
  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator(const std::string &name,
                std::shared_ptr<const CellData<Number>> cells,
                const Coefficient &kappa, const AssemblyOptions &options = {},
                std::shared_ptr<const Tail<Number>> tail                 = {},
                std::shared_ptr<const BoundaryMatrices<Number>> boundary = {});
} // namespace tessera
