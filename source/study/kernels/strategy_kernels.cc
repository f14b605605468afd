#include <tessera/study/assembly/study_kernels.h>

#include "../../kernels/on_form.h"
#include "strategy_launches.h"

// The tables of a form's kernels by strategy. They are registered.
namespace tessera
{
  namespace
  {
    static_assert(ThisForm<2>::symmetric && !ThisForm<2>::projects,
                  "products by columns need a symmetric form, and no strategy "
                  "but local_reuse knows projections");

    void
    check_cells(const Space &space, const std::string &what)
    {
      if (space.degree > max_degree)
        throw ParameterError(std::string("The form ") + form_name +
                             " is not compiled for " + what + " of degree " +
                             std::to_string(space.degree) + '.');
    }

    template <class Number, Strategy strategy>
    class Kernels : public StudyKernels<Number>
    {
    public:
      void
      check(const Space &space, const std::string &what) const override
      {
        check_cells(space, what);
      }

      void
      assemble_rows(const Backend backend, const Space &space,
                    const AssemblyCells<Number> &cells,
                    const SlotSink<Number> &sink,
                    const Stream stream) const override
      {
        on_element_kernels(backend, space,
                           [&](const auto target, const auto e) {
                             using E = std::decay_t<decltype(e)>;
                             assemble_rows_by_on<FormOf<E>, E, Number>(
                               target, cells, sink, strategy, stream);
                           });
      }

      void
      assemble_local(const Backend backend, const Space &space,
                     const AssemblyCells<Number> &cells, Number *values,
                     const bool upper, const Stream stream) const override
      {
        on_element_kernels(backend, space,
                           [&](const auto target, const auto e) {
                             using E = std::decay_t<decltype(e)>;
                             assemble_local_by_on<FormOf<E>, E, Number>(
                               target, cells, values, upper, strategy, stream);
                           });
      }

      void
      append_rows(const Backend backend, const Space &space,
                  const AssemblyCells<Number> &cells,
                  const AppendSink<Number> &sink,
                  const Stream stream) const override
      {
        on_element_kernels(backend, space,
                           [&](const auto target, const auto e) {
                             using E = std::decay_t<decltype(e)>;
                             append_rows_on<FormOf<E>, E, Number>(
                               target, cells, sink, strategy, stream);
                           });
      }

      void
      apply_local(const Backend backend, const Space &space,
                  const CellApply<Number> &apply,
                  const FieldsView<Number> &fields,
                  const Stream stream) const override
      {
        on_element_kernels(backend, space,
                           [&](const auto target, const auto e) {
                             using E = std::decay_t<decltype(e)>;
                             apply_local_on<FormOf<E>, E, Number>(
                               target, apply, fields, strategy, stream);
                           });
      }
    };

    template <Strategy strategy>
    FormStrategy
    describe(const std::string &name)
    {
      static const Kernels<double, strategy> in_double;
#if TESSERA_WITH_FLOAT
      static const Kernels<float, strategy> in_float;
      return {std::string(form_name) + ' ' + name, &in_double, &in_float};
#else
      return {std::string(form_name) + ' ' + name, &in_double, nullptr};
#endif
    }

    const Registration<FormStrategy> local_reuse([]() {
      return describe<Strategy::keeps_points>("local_reuse");
    });
    const Registration<FormStrategy> redundant_compute([]() {
      return describe<Strategy::repeats_points>("redundant_compute");
    });
    const Registration<FormStrategy> global_reuse([]() {
      return describe<Strategy::by_points>("global_reuse");
    });
  } // namespace
} // namespace tessera
