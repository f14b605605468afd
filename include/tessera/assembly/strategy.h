#pragma once

#include <tessera/assembly/form_kernels.h>
#include <tessera/base/registry.h>

// A strategy describes itself: its source registers a function that returns its
// descriptor. Forms have kernels for local_reuse; kernels of a form for other
// strategies are registered as well, in any library.
namespace tessera
{
  /// A way to compute the entries of a cell matrix.
  struct StrategyDescriptor
  {
    std::string name;
    std::string sentence; ///< what it does
    std::string source;   ///< paper and section
  };

  extern template class Registry<StrategyDescriptor>;

  /// Kernels of a form for one strategy that are not in the form's library. All
  /// throw ParameterError for cells that they are not compiled for.
  template <class Number>
  class StrategyKernels : public EntryKernels<Number>
  {
  public:
    /// Throws ParameterError, which says that `what` cannot be done, if there
    /// are no kernels for such cells.
    virtual void
    check(const Space &space, const std::string &what) const = 0;
  };

  /// The kernels of a form and a strategy.
  struct FormStrategy
  {
    std::string name; ///< of the form and of the strategy, with a space between
    const StrategyKernels<double> *in_double;
    const StrategyKernels<float> *in_float; ///< null if it is not compiled
  };

  extern template class Registry<FormStrategy>;

  /// Returns the names of the strategies of all linked libraries, in
  /// alphabetical order.
  std::vector<std::string>
  strategy_names();

  /// Throws ParameterError for an unknown strategy, with the legal ones.
  void
  check_strategy(const std::string &name);

  /// Returns the kernels of a form and a strategy for cells of a space. Throws
  /// ParameterError, with the message that the form is not compiled for `what`,
  /// if no linked library has them.
  template <class Number>
  const StrategyKernels<Number> &
  strategy_kernels(const CompiledForm &form, const std::string &strategy,
                   const Space &space, const std::string &what);

  /// Returns the kernels that compute entries: the form's own kernels for
  /// local_reuse, and the kernels above otherwise.
  template <class Number>
  const EntryKernels<Number> &
  entry_kernels(const CompiledForm &form, const std::string &strategy,
                const Space &space);
} // namespace tessera
