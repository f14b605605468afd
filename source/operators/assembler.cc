#include <tessera/base/error.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/space/on_components.h>
#include <tessera/space/part_tail.h>

#include <stdexcept>

#include "ghost_columns.h"
#include "hanging_diagonal.h"

namespace tessera
{
  namespace
  {
    /// The entries of a vector behind those that have rows.
    int
    n_behind(const Space &space, const int n_components)
    {
      return (space.n_local() - space.n_stored()) * n_components;
    }
  } // namespace

  template <class Number>
  Assembler<Number>::Assembler(
    const std::string &name, std::shared_ptr<const CellData<Number>> cells,
    const AssemblyOptions &options,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary,
    const int n_components, Parts<Number> parts)
    : name(name), cells(std::move(cells)), boundary(std::move(boundary)),
      n_components(n_components), parts(std::move(parts))
  {
    const Space &space    = this->cells->space();
    const Backend backend = this->cells->backend();
    check_options(name, backend, options);
    if (space.n_components > 1 && space.n_components != n_components)
      throw ParameterError("The nodes of the space have " +
                           std::to_string(space.n_components) +
                           " components, but rows were asked for with " +
                           std::to_string(n_components) + '.');
    if (!stores_rows(name))
      throw ParameterError("The operator " + name +
                           " does not store rows, so that there is nothing to "
                           "assemble into.");
    if (this->boundary && this->boundary->n_components() != n_components)
      throw ParameterError("Boundary faces have matrices of forms with " +
                           std::to_string(this->boundary->n_components()) +
                           " components, but the operator " + name +
                           " was asked for with " +
                           std::to_string(n_components) + '.');
    choose(options.strategy,
           options.route.value_or(default_route(name, space.cell_type,
                                                space.degree, n_components,
                                                backend, options.conflict)),
           options.conflict.value_or(default_conflict(backend)));
    is_asked = options.route.has_value();
    if (const auto &make =
          descriptor(name).template maker<Number>().from_appended)
      {
        appended = make(*this->cells, this->boundary.get(), n_components);
        return;
      }
    CsrPattern pattern = make_csr_pattern(*this->cells);
    slots.emplace(pattern, *this->cells);
    if (this->boundary)
      face_slots.emplace(pattern, this->boundary->faces());
    pattern.block = n_components;
    if (!space.fixed.empty())
      given = IdentityRows(pattern, space.fixed, space.n_owned * n_components);
    pending = make_row_operator<Number>(name, std::move(pattern),
                                        n_behind(space, n_components), options);
  }

  template <class Number>
  void
  Assembler<Number>::choose(const std::string &new_strategy,
                            const Route new_route, const Conflict new_conflict)
  {
    check_route(new_route, "the operator " + name, legal_routes(name));
    check_conflict(new_conflict, cells->backend(), "the operator " + name);
    if (new_route == Route::gather)
      check_components("The route gather", cells->space(), n_components);
    strategy = new_strategy;
    route    = new_route;
    conflict = new_conflict;
    is_asked = true;
    if (route != Route::gather)
      gather.reset();
  }

  template <class Number>
  std::unique_ptr<RowOperator<Number>>
  Assembler<Number>::make_operator(const FormData<Number> &form)
  {
    check(form);
    const Space &space = cells->space();
    const int n_tail   = n_behind(space, n_components);
    if (appended)
      pending = appended->make_operator(values_of(form), n_tail);
    else if (!pending)
      throw std::logic_error("the operator of this assembler was taken");
    else
      {
        write(pending->matrix(), form, false, {});
        pending->values_changed();
      }
    // A part without ghosts takes part in the exchange, too.
    const auto tail = tail_of(*cells, parts.ghosts());
    if (!tail->ignores_tails())
      pending->set_tail(
        tail, (space.n_stored() - space.n_owned) * n_components,
        space.n_hanging > 0
          ? std::make_shared<const HangingRows<Number>>(space, cells->backend())
          : nullptr,
        tail->overlaps() ? std::make_shared<const GhostColumns<Number>>(
                             space, n_components, cells->backend())
                         : nullptr);
    pending->set_parts(parts);
    pending->set_form(form.form().name, form.form().symmetric);
    if (cells->backend() == Backend::cuda)
      runtime::synchronize({});
    return std::move(pending);
  }

  template <class Number>
  void
  Assembler<Number>::assemble(RowOperator<Number> &op,
                              const FormData<Number> &form, const Stream stream)
  {
    check(form);
    if (op.n_owned() != cells->space().n_owned * n_components ||
        op.backend() != cells->backend())
      throw std::logic_error("an operator of another assembler");
    pending.reset(); // if the operator was made by another assembler
    if (appended)
      appended->assemble(op, values_of(form), stream);
    else
      write(op.matrix(), form, true, stream);
    op.set_form(form.form().name, form.form().symmetric);
    op.values_changed(stream);
  }

  template <class Number>
  void
  Assembler<Number>::check(const FormData<Number> &form) const
  {
    if (&form.cells() != cells.get() || form.n_components() != n_components)
      throw std::logic_error("a form on other cells than the assembler's");
  }

  template <class Number>
  void
  Assembler<Number>::write(RowMatrix<Number> &matrix,
                           const FormData<Number> &form, const bool clear,
                           const Stream stream)
  {
    const SlotSink<Number> to = sink(matrix);
    // Half of a cell matrix is gathered, which not every form has, and threads
    // share the columns of a cell.
    const bool repeats = slots->repeats_rows();
    if (route == Route::gather &&
        (is_asked || (form.form().symmetric && !repeats)))
      {
        if (repeats)
          throw MeshError(
            "The route gather needs cells whose nodes have different rows, and "
            "a cell has one twice; legal is scatter.");
        if (!gather)
          gather.emplace(*cells, n_components);
        gather->assemble(to, form, strategy, stream);
      }
    else
      {
        if (clear)
          matrix.values().zero(stream);
        assemble_rows(to, form, strategy, conflict, stream);
      }
    if (boundary)
      boundary->add_to_rows(face_slots->sink(to.values, to.rows), conflict,
                            stream);
    given.write(matrix, stream);
  }

  template <class Number>
  SlotSink<Number>
  Assembler<Number>::sink(RowMatrix<Number> &matrix) const
  {
    if (!slots)
      throw std::logic_error("rows that are appended to have no slots");
    const RowEntries<Number> entries = matrix.entries();
    return slots->sink(entries.values, entries.rows);
  }

  template <class Number>
  std::size_t
  Assembler<Number>::bytes() const
  {
    return (slots ? slots->bytes() : 0) +
           (face_slots ? face_slots->bytes() : 0) +
           (gather ? gather->bytes() : 0) + (appended ? appended->bytes() : 0) +
           given.bytes();
  }

  template class Assembler<double>;
  template class Assembler<float>;
} // namespace tessera
