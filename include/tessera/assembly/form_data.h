#pragma once

#include <tessera/assembly/form_kernels.h>
#include <tessera/forms/form.h>

#include <vector>

namespace tessera
{
  /// A form on the cells of a space: its kernels and its fields in the memory
  /// of the backend. Operators and assembly read it.
  ///
  /// A form that reads the solution, such as the tangent of a nonlinear form,
  /// is taken at the solution that was set last. A state is zero in the
  /// beginning.
  template <class Number>
  class FormData
  {
  public:
    /// `cells` must live longer than this object. Throws std::length_error if
    /// the coefficient has the wrong number of components or values, and
    /// ParameterError if the form is not compiled for the number type or the
    /// cells.
    FormData(const Form &form, const CellData<Number> &cells);

    const CompiledForm &
    form() const
    {
      return compiled;
    }

    const CellData<Number> &
    cells() const
    {
      return *of_cells;
    }

    const FormKernels<Number> &
    kernels() const
    {
      return compiled.kernels<Number>();
    }

    int
    n_components() const
    {
      return sizes.n_components;
    }

    /// Linearises the form at u from now on. Copies all entries, including
    /// boundary values in the tail, to memory whose address stays the same, so
    /// that operators and captured graphs use the new values.
    void
    set_solution(const Vector<Number> &u, Stream stream = {});

    /// Adds the residual at the solution: r_i += r(u, phi_i) for owned and tail
    /// entries; `finish_right_hand_side` passes on the tail. The tail of the
    /// solution must be set, hanging nodes included. A form that does not
    /// read the solution has the residual a(u, phi_i). Does not wait for the
    /// device.
    void
    add_residual(Vector<Number> &r, Conflict conflict,
                 Stream stream = {}) const;

    /// Lets the device (or the host) compute the state of every point anew,
    /// from the solution and the state before. Throws ParameterError if the
    /// form has no state.
    void
    update_state(Stream stream = {});

    /// Returns the states as [n_cells][n_points][n_state], for output and
    /// tests.
    std::vector<Number>
    states() const;

    FieldsView<Number>
    view() const;

    std::size_t
    bytes() const
    {
      return coefficient.bytes() + solution.bytes() + state.bytes() +
             projections.bytes();
    }

    /// Calls `launch(in)` with the AssemblyCells of every block list. Throws
    /// ParameterError if the form reads a solution that was not set.
    template <class Launch>
    void
    for_each_launch(const Conflict conflict, const Launch &launch) const
    {
      for (const BlockList &blocks : of_cells->launches(conflict))
        launch(AssemblyCells<Number>{of_cells->view(conflict),
                                     of_cells->batches_per_block(), blocks,
                                     conflict, view()});
    }

  private:
    void
    visit(Number *y, Quantity quantity, Conflict conflict, Stream stream) const;

    const CompiledForm &compiled;
    CompiledForm::Sizes sizes;
    const CellData<Number> *of_cells;
    CoefficientData<Number> coefficient;
    Array<Number> solution; ///< empty until it is set
    Array<Number> state;
    Array<Number> projections; ///< as in FieldsView
  };
} // namespace tessera
