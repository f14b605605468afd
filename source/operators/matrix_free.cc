#include <tessera/assembly/assemble.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/matrix_free.h>
#include <tessera/operators/models.h>

namespace tessera
{
  namespace
  {
    /// Returns the partial sums that products of these cells may leave.
    template <class Number>
    int
    n_sums(const CellData<Number> &cells, const Conflict conflict)
    {
      const bool in_parts = cells.backend() == Backend::cuda &&
                            cells.space().cell_type == CellType::hexahedron;
      return cells.n_blocks() * (in_parts ? parts_of_block(conflict) : 1);
    }
  } // namespace

  template <class Number>
  MatrixFree<Number>::MatrixFree(
    std::shared_ptr<const CellData<Number>> cells_in,
    std::shared_ptr<const FormData<Number>> form_in, const Conflict conflict,
    std::shared_ptr<const Tail<Number>> tail,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary,
    const bool by_entities)
    : CellOperator<Number>(std::move(cells_in), conflict, std::move(tail),
                           std::move(boundary), form_in->n_components(),
                           n_sums(form_in->cells(), conflict)),
      form(std::move(form_in))
  {
    if (&form->cells() != this->cells.get())
      throw std::logic_error("a form on other cells than the operator's");
    if (by_entities && !this->cells->entities().empty())
      entities = &this->cells->entities();
    if (by_entities && !this->cells->block_nodes().empty())
      blocks = &this->cells->block_nodes();
    this->cells->are_parallelepipeds(); // before a graph is captured
  }

  template <class Number>
  void
  MatrixFree<Number>::update(
    const std::shared_ptr<const FormData<Number>> &new_form, Stream)
  {
    if (&new_form->cells() != this->cells.get() ||
        new_form->n_components() != this->n_components)
      throw std::logic_error("a form on other cells than the operator's");
    if (new_form == form)
      return;
    form = new_form;
    this->set_form(form->form().name, form->form().symmetric);
    this->count_revision();
  }

  template <class Number>
  void
  MatrixFree<Number>::launch_apply(const CellApply<Number> &all,
                                   const Stream stream) const
  {
    CellApply<Number> apply = all;
    if (entities != nullptr)
      apply.cells.entities = entities->view();
    apply.cells.block_nodes     = this->cells->block_nodes().view();
    apply.cells.parallelepipeds = this->cells->are_parallelepipeds();
    form->kernels().apply(this->backend(), this->cells->space(), apply,
                          form->view(), Quantity::product, stream);
  }

  template <class Number>
  void
  MatrixFree<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    d.zero(stream);
    assemble_diagonal(d, *form, this->conflict, stream);
    this->finish_diagonal(d, stream);
  }

  /// Compulsory: x and y once, degrees of freedom and vertices of every cell
  /// (for p = 1 they are the same), their entities or the nodes of blocks, each
  /// vertex once, or stored Jacobians.
  template <class Number>
  Traffic
  MatrixFree<Number>::traffic() const
  {
    const Space &space          = this->cells->space();
    const std::uint64_t vectors = 2 * sizeof(Number) * this->n_owned();
    const bool stored           = space.geometry != Geometry::vertices;
    const std::uint64_t indices =
      blocks != nullptr ? blocks->bytes()
      : entities != nullptr
        ? entities->index_bytes(space.degree, space.n_cells())
        : 4 * std::uint64_t(space.n_cells()) *
            (space.dofs_per_cell() +
             (space.degree > 1 && !stored ? space.vertices_per_cell() : 0));
    const auto &points = this->cells->shared_coordinates();
    const std::uint64_t geometry =
      !stored
        ? (this->backend() == Backend::cuda
             ? points->bytes()
             : space.vertices.size() * sizeof(Number))
        : space.n_cells() * sizeof(Number) * space.dim() * space.dim() *
            (space.geometry == Geometry::quadrature ? space.points_per_cell()
                                                    : 1);
    return this->with_boundary(
      {vectors + indices + geometry + form->bytes(),
       this->cells->bytes() + (entities ? entities->bytes() : 0) +
         (blocks ? blocks->bytes() : 0) + form->bytes()});
  }

  template class MatrixFree<double>;
  template class MatrixFree<float>;

  namespace
  {
    OperatorDescriptor
    describe_matrix_free()
    {
      OperatorDescriptor d{
        "matrix_free",
        "no matrix is stored: sum factorisation with the geometry recomputed "
        "from the vertices",
        "RegulyGiles2015, section 3.4"};
      d.from_cells([](auto number, const auto &p) {
        return std::make_unique<MatrixFree<decltype(number)>>(
          p.cells, p.form, p.conflict, p.tail, p.boundary);
      });
      // Entities are read if the numbering suits. A block of tetrahedra has a
      // third as many nodes as its cells, and three quarters of a vertex for
      // each cell.
      d.memory_of_device = [](const MemoryCounts &n) {
        if (n.cell_type == CellType::tetrahedron)
          return 20. / 3 * n.nodes +
                 (n.degree > 1 && n.geometry == Geometry::vertices ? 11 : 0);
        const bool has_entities =
          n.cell_type == CellType::quadrilateral && n.degree > 1;
        const double vertices =
          n.geometry == Geometry::vertices ? 2 * n.number_bytes * n.dofs : 0.;
        return has_entities ? 36.5 + vertices : 0.;
      };
      d.model          = models::matrix_free;
      d.stores_nothing = true;
      return d;
    }

    const Registration<OperatorDescriptor> matrix_free_registration(
      describe_matrix_free);
  } // namespace
} // namespace tessera
