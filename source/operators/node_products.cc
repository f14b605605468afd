#include <tessera/operators/descriptor.h>
#include <tessera/operators/models.h>

#include "node_products_kernels.h"

namespace tessera
{
  namespace
  {
    int
    n_rows_of(const Space &space)
    {
      return space.n_cells() > 0 ? space.padding_index() : 0;
    }

    /// The blocks that leave sums: those of cells store what is gathered.
    int
    n_blocks_of(const NodeProduct product, const Space &space,
                const int n_components)
    {
      if (product == NodeProduct::gathered)
        return 0;
      const std::int64_t n =
        std::int64_t(n_rows_of(space)) *
        (product == NodeProduct::dof_by_dof ? n_components : 1);
      return static_cast<int>((n + rows_per_block - 1) / rows_per_block);
    }

    template <class Number>
    void
    apply_rows_on_host(const NodeRows<Number> &rows,
                       const CellApply<Number> &apply)
    {
      const std::int64_t n = rows.n_items();
      const int n_blocks =
        static_cast<int>((n + rows_per_block - 1) / rows_per_block);
      const int m               = rows.n_components;
      const auto for_each_block = [&](const auto &work) {
#pragma omp parallel for schedule(static)
        for (int block = 0; block < n_blocks; ++block)
          {
            const std::int64_t first = std::int64_t(block) * rows_per_block;
            double product           = 0;
            for (std::int64_t item = first;
                 item < first + rows_per_block && item < n; ++item)
              product += work(item);
            if (apply.sum.result != nullptr && !rows.adds_up())
              apply.sum.partial[block] = product;
          }
      };
      if (rows.adds_up())
        for_each_block([&](const std::int64_t item) {
          return put_row(apply, item,
                         sum_gathered(rows, static_cast<int>(item / m),
                                      static_cast<int>(item % m)));
        });
      else
        on_sums(rows, [&](auto n_sums, auto n_components) {
          for_each_block([&](const std::int64_t item) {
            return work_on_rows<decltype(n_sums)::value,
                                decltype(n_components)::value>(rows, apply,
                                                               item);
          });
        });
    }
  } // namespace

  template <class Number>
  NodeProducts<Number>::NodeProducts(
    const NodeProduct product, std::shared_ptr<const CellData<Number>> cells,
    const FormData<Number> &form, const Strategy strategy,
    const Conflict conflict, std::shared_ptr<const Tail<Number>> tail,
    std::shared_ptr<const BoundaryMatrices<Number>> boundary)
    : LocalMatrices<Number>(
        cells, form, product == NodeProduct::gathered, strategy, conflict,
        std::move(tail), std::move(boundary),
        n_blocks_of(product, cells->space(), form.n_components())),
      product(product)
  {
    const int n_rows = n_rows_of(cells->space());
    if (n_rows > 0)
      around = list_cells_of_rows(*cells, n_rows, true);
    if (product == NodeProduct::gathered)
      of_cells = {cells->backend(),
                  std::size_t(cells->n_batches()) * cells->lanes() *
                    cells->space().dofs_per_cell() * this->n_components};
  }

  template <class Number>
  void
  NodeProducts<Number>::apply_rows(const CellApply<Number> &apply,
                                   const Array<Number> &values,
                                   const bool diagonal,
                                   const Stream stream) const
  {
    const CellData<Number> &cells = this->cell_data();
    const NodeRows<Number> rows{
      product,
      this->n_components,
      around.start.data(),
      around.entries.data(),
      n_rows_of(cells.space()),
      static_cast<unsigned int>(cells.space().dofs_per_cell()),
      static_cast<unsigned int>(cells.lanes()),
      values.data(),
      this->is_symmetric(),
      diagonal};
    if (this->backend() == Backend::cuda)
      apply_rows_of_nodes(rows, apply, stream);
    else
      apply_rows_on_host(rows, apply);
  }

  template <class Number>
  void
  NodeProducts<Number>::launch_range(CellApply<Number> apply,
                                     const CellRange range,
                                     const Stream stream) const
  {
    if (range != CellRange::all && range != CellRange::boundary)
      return;
    if (product != NodeProduct::gathered)
      return apply_rows(apply, this->values(), false, stream);
    apply.blocks = {nullptr, 0, this->cell_data().n_blocks()};
    this->launch_apart(apply, of_cells.data(), stream);
    apply_rows(apply, of_cells, false, stream);
  }

  template <class Number>
  void
  NodeProducts<Number>::diagonal(Vector<Number> &d, const Stream stream) const
  {
    d.zero(stream);
    apply_rows({this->cell_data().view(this->conflict),
                this->cell_data().batches_per_block(),
                {},
                this->conflict,
                nullptr,
                d.data(),
                false,
                {}},
               this->values(), true, stream);
    this->finish_diagonal(d, stream);
  }

  template <class Number>
  bool
  NodeProducts<Number>::repeatable() const
  {
    return !this->boundary || LocalMatrices<Number>::repeatable();
  }

  template <class Number>
  std::string
  NodeProducts<Number>::name() const
  {
    return product == NodeProduct::node_by_node ? "node_by_node"
           : product == NodeProduct::dof_by_dof ? "dof_by_dof"
                                                : "local_matrices_gathered";
  }

  /// Compulsory: that of local matrices, the lists of cells, and for `gathered`
  /// what cells have for y, written and read.
  template <class Number>
  Traffic
  NodeProducts<Number>::traffic() const
  {
    Traffic traffic = LocalMatrices<Number>::traffic();
    traffic.compulsory += around.bytes();
    if (product == NodeProduct::gathered)
      traffic.compulsory += 2 * sizeof(Number) * this->n_components *
                            std::uint64_t(this->cells->space().n_cells()) *
                            this->cells->space().dofs_per_cell();
    traffic.stored += around.bytes() + of_cells.bytes();
    return traffic;
  }

  template class NodeProducts<double>;
  template class NodeProducts<float>;

  namespace
  {
    OperatorDescriptor
    describe(const std::string &name, const std::string &sentence,
             const std::string &source, const NodeProduct product)
    {
      OperatorDescriptor d{name, sentence, source};
      d.from_cells([product](auto number, const auto &p) {
        return std::make_unique<NodeProducts<decltype(number)>>(
          product, p.cells, *p.form, p.strategy, p.conflict, p.tail,
          p.boundary);
      });
      const bool gathered = product == NodeProduct::gathered;
      // Beside the values: lists of cells, and what they have for y.
      d.memory = [gathered](const MemoryCounts &n, const StorageOptions &) {
        const double entries =
          gathered ? n.nodes * (n.nodes + 3) / 2 : n.nodes * n.nodes;
        return entries * n.number_bytes + 4 * n.nodes + 8 * n.dofs;
      };
      return d;
    }
  } // namespace

  OperatorDescriptor
  describe_node_by_node()
  {
    return describe("node_by_node",
                    "the dense matrix of every cell; a thread for each node "
                    "adds up the rows that its cells have for it (NbN)",
                    "KiranGautamSharma2020, section 2.2",
                    NodeProduct::node_by_node);
  }

  OperatorDescriptor
  describe_dof_by_dof()
  {
    return describe(
      "dof_by_dof", "the same with a thread for each degree of freedom (DbD)",
      "KiranGautamSharma2020, section 2.3", NodeProduct::dof_by_dof);
  }

  OperatorDescriptor
  describe_local_matrices_gathered()
  {
    return describe("local_matrices_gathered",
                    "the upper half of the matrix of every cell; cells store "
                    "what they have for the product, then every row adds it up",
                    "WongKuhlDarve2015, section 4", NodeProduct::gathered);
  }
} // namespace tessera
