#include <tessera/base/error.h>
#include <tessera/base/names.h>

#include "launches.h"
#include "on_form.h"

#include <algorithm>

// The table of a form's kernels, and the function with its name.
namespace tessera
{
  namespace
  {
    [[noreturn]] void
    refuse(const std::string &what)
    {
      throw ParameterError(std::string("The form ") + form_name +
                           " is not compiled for " + what +
                           " (include/tessera/forms/forms.def).");
    }

    void
    check_cells(const Space &space)
    {
      if (space.degree > max_degree)
        refuse("degree " + std::to_string(space.degree));
    }

    template <class F>
    void
    on_kernels(const Backend backend, const Space &space, const F &f)
    {
      check_cells(space);
      on_element_kernels(backend, space, f);
    }

    template <class Number>
    class Kernels : public FormKernels<Number>
    {
    public:
      void
      check(const Space &space) const override
      {
        check_cells(space);
      }

      void
      apply(const Backend backend, const Space &space,
            const CellApply<Number> &apply, const FieldsView<Number> &fields,
            const Quantity quantity, const Stream stream) const override
      {
        on_kernels(backend, space, [&](const auto target, const auto e) {
          using E = std::decay_t<decltype(e)>;
          apply_on<FormOf<E>, E, Number>(target, apply, fields, quantity,
                                         stream);
        });
      }

      void
      assemble_rows(const Backend backend, const Space &space,
                    const AssemblyCells<Number> &cells,
                    const SlotSink<Number> &sink,
                    const Stream stream) const override
      {
        on_kernels(backend, space, [&](const auto target, const auto e) {
          using E = std::decay_t<decltype(e)>;
          assemble_rows_on<FormOf<E>, E, Number>(target, cells, sink, stream);
        });
      }

      void
      assemble_local(const Backend backend, const Space &space,
                     const AssemblyCells<Number> &cells, Number *values,
                     const bool upper, const Stream stream) const override
      {
        on_kernels(backend, space, [&](const auto target, const auto e) {
          using E = std::decay_t<decltype(e)>;
          assemble_local_on<FormOf<E>, E, Number>(target, cells, values, upper,
                                                  stream);
        });
      }

      void
      assemble_diagonal(const Backend backend, const Space &space,
                        const AssemblyCells<Number> &cells, Number *d,
                        const Stream stream) const override
      {
        on_kernels(backend, space, [&](const auto target, const auto e) {
          using E = std::decay_t<decltype(e)>;
          assemble_diagonal_on<FormOf<E>, E, Number>(target, cells, d, stream);
        });
      }
    };

    template <int dim>
    constexpr CompiledForm::Sizes sizes_in = {ThisForm<dim>::n_components,
                                              ThisForm<dim>::n_coefficients,
                                              ThisForm<dim>::n_state};

    Coefficient
    complete(const Coefficient &coefficient, const int dim)
    {
      return dim == 2 ? ThisForm<2>::complete(coefficient)
                      : ThisForm<3>::complete(coefficient);
    }

    template <class F>
    double
    weight_of(const double *const coefficient)
    {
      double values[F::n_coefficients];
      std::copy_n(coefficient, F::n_coefficients, values);
      return F::projection_weight(values);
    }

    double
    projection_weight(const double *const coefficient, const int dim)
    {
      if constexpr (ThisForm<2>::projects)
        return dim == 2 ? weight_of<ThisForm<2>>(coefficient)
                        : weight_of<ThisForm<3>>(coefficient);
      return 0;
    }

    static_assert(!ThisForm<2>::projects ||
                    (ThisForm<2>::symmetric && !ThisForm<2>::reads_solution &&
                     max_degree <= 2),
                  "a form that projects is symmetric, reads no solution and is "
                  "compiled up to degree 2");

    const CompiledForm &
    compiled()
    {
      static const Kernels<double> in_double;
#if TESSERA_WITH_FLOAT
      static const Kernels<float> in_float;
      const FormKernels<float> *const floats = &in_float;
#else
      const FormKernels<float> *const floats = nullptr;
#endif
      static const CompiledForm form = {
        form_name,
        ThisForm<2>::symmetric,
        ThisForm<2>::reads_solution,
        !ThisForm<2>::uses_values,
        sizes_in<2>,
        sizes_in<3>,
        complete,
        ThisForm<2>::projects ? projection_weight : nullptr,
        &in_double,
        floats};
      return form;
    }
  } // namespace

  Form
  TESSERA_FORM_NAME(const Coefficient &coefficient)
  {
    return {&compiled(), coefficient};
  }
} // namespace tessera
