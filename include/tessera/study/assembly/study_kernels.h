#pragma once

#include <tessera/assembly/strategy.h>
#include <tessera/base/error.h>
#include <tessera/study/matrix/append_sink.h>

namespace tessera
{
  /// Kernels of a form for one strategy that use the entries of a cell matrix
  /// as they come. The study registers them for the forms that papers use
  /// (cmake/strategies.cmake), also for local_reuse.
  template <class Number>
  class StudyKernels : public StrategyKernels<Number>
  {
  public:
    virtual void
    append_rows(Backend, const Space &space, const AssemblyCells<Number> &,
                const AppendSink<Number> &, Stream) const = 0;

    /// y += A x by cell matrices that are computed, used and discarded at once,
    /// for symmetric forms.
    virtual void
    apply_local(Backend, const Space &space, const CellApply<Number> &,
                const FieldsView<Number> &, Stream) const = 0;
  };

  /// Returns these kernels. Throws what `strategy_kernels` throws.
  template <class Number>
  const StudyKernels<Number> &
  study_kernels(const CompiledForm &form, const std::string &strategy,
                const Space &space, const std::string &what)
  {
    const auto *const kernels = dynamic_cast<const StudyKernels<Number> *>(
      &strategy_kernels<Number>(form, strategy, space, what));
    if (kernels == nullptr)
      throw ParameterError("The form " + form.name + " is not compiled for " +
                           what + '.');
    return *kernels;
  }
} // namespace tessera
