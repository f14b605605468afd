#include <tessera/assembly/form_data.h>
#include <tessera/base/error.h>
#include <tessera/space/cell_projection.h>
#include <tessera/space/local_entry.h>

#include <algorithm>

namespace tessera
{
  template <>
  const FormKernels<double> &
  CompiledForm::kernels() const
  {
    return *in_double;
  }

  template <>
  const FormKernels<float> &
  CompiledForm::kernels() const
  {
    if (in_float == nullptr)
      throw ParameterError("The form " + name +
                           " is compiled for double precision alone.");
    return *in_float;
  }

  template <class Number>
  FormData<Number>::FormData(const Form &form, const CellData<Number> &cells)
    : compiled(*form.compiled), sizes(compiled.sizes(cells.space().dim())),
      of_cells(&cells),
      coefficient(compiled.complete(form.coefficient, cells.space().dim()),
                  cells)
  {
    const Space &space = cells.space();
    kernels().check(space);
    if (sizes.n_components != space.n_components &&
        (space.n_components > 1 || space.n_hanging > 0))
      throw ParameterError(
        "The form " + compiled.name + " has " +
        std::to_string(sizes.n_components) +
        " components in these dimensions, but a node of the space has " +
        std::to_string(space.n_components) + '.');
    if (sizes.n_state > 0)
      state = Array<Number>(cells.backend(),
                            std::size_t(cells.n_batches()) * cells.lanes() *
                              cells.space().points_per_cell() * sizes.n_state);
    if (compiled.projection_weight != nullptr)
      projections = cells.pack(
        projection_matrices(space,
                            compiled.complete(form.coefficient, space.dim()),
                            compiled.projection_weight),
        n_local_entries(true, n_projected(space.cell_type, space.degree)));
  }

  template <class Number>
  void
  FormData<Number>::set_solution(const Vector<Number> &u, const Stream stream)
  {
    const Space &space = of_cells->space();
    const int n        = space.n_local() * sizes.n_components;
    if (u.backend() != of_cells->backend() || u.size() != n)
      throw std::logic_error("FormData: a solution of another space");
    if (solution.size() == 0)
      solution = Array<Number>(u.backend(), n);
    if (u.backend() == Backend::host)
      std::copy_n(u.data(), n, solution.data());
    else
      runtime::copy_async(solution.data(), u.data(), solution.bytes(),
                          runtime::Copy::device_to_device, stream);
  }

  template <class Number>
  FieldsView<Number>
  FormData<Number>::view() const
  {
    if (compiled.reads_solution && solution.size() == 0)
      throw ParameterError("The form " + compiled.name +
                           " reads the solution, which has not been set.");
    return {coefficient.view(), solution.data(),
            const_cast<Number *>(state.data()), projections.data()};
  }

  template <class Number>
  void
  FormData<Number>::visit(Number *const y, const Quantity quantity,
                          const Conflict conflict, const Stream stream) const
  {
    if (solution.size() == 0)
      throw ParameterError("The form " + compiled.name +
                           " needs a solution, which has not been set.");
    CellView<Number> cells = of_cells->view(conflict);
    cells.block_nodes      = of_cells->block_nodes().view();
    for (const BlockList &blocks : of_cells->launches(conflict))
      kernels().apply(of_cells->backend(), of_cells->space(),
                      {cells,
                       of_cells->batches_per_block(),
                       blocks,
                       conflict,
                       solution.data(),
                       y,
                       true,
                       {nullptr, nullptr, nullptr, 0}},
                      view(), quantity, stream);
  }

  template <class Number>
  void
  FormData<Number>::add_residual(Vector<Number> &r, const Conflict conflict,
                                 const Stream stream) const
  {
    check_conflict(conflict, of_cells->backend(), "a residual");
    visit(r.data(),
          compiled.reads_solution ? Quantity::residual : Quantity::product,
          conflict, stream);
  }

  template <class Number>
  void
  FormData<Number>::update_state(const Stream stream)
  {
    if (sizes.n_state == 0)
      throw ParameterError("The form " + compiled.name + " has no state.");
    // Nothing is shared: atomics are named for a parallel loop and never used.
    visit(nullptr, Quantity::state, Conflict::atomics, stream);
  }

  template <class Number>
  std::vector<Number>
  FormData<Number>::states() const
  {
    const std::vector<Number> stored = state.to_vector();
    const std::size_t lanes          = of_cells->lanes();
    const std::size_t n =
      std::size_t(of_cells->space().points_per_cell()) * sizes.n_state;
    std::vector<Number> values(n * of_cells->space().n_cells());
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = stored[(k / n / lanes * n + k % n) * lanes + k / n % lanes];
    return values;
  }

  template class FormData<double>;
  template class FormData<float>;
} // namespace tessera
