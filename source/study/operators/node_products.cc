#include <tessera/matrix/cells_of_rows.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/local_matrices.h>

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

    /// Returns how many blocks of rows write partial sums: none if gathered.
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

    /// Multiplies by the matrices of cells in a loop over nodes instead of
    /// cells:
    ///   y_n = sum over the cells e of node n of (K_e P_e x)_n.
    /// Every entry of y is written once by one thread, so that no conflict
    /// handling is needed except for faces. By nodes (NbN) a thread has the
    /// components of a node, by degrees of freedom (DbD) one of them
    /// (KiranGautamSharma2020, sections 2.2 and 2.3); both read rows of whole
    /// cell matrices. Values have the layout of LocalMatrices, [entry][cell of
    /// a batch]: neighbouring nodes mostly have the same place in neighbouring
    /// cells, so that threads read neighbouring numbers. The paper's layout,
    /// cell after cell, makes threads read rows that lie apart.
    ///
    /// `gathered` stores upper halves alone and works in two passes: cells
    /// store K_e P_e x, then each row adds up the results of its cells.
    template <class Number>
    class NodeProducts : public LocalMatrices<Number>
    {
    public:
      /// Throws as LocalMatrices does, and MeshError if the nodes of all cells
      /// are more than 2^32.
      NodeProducts(const NodeProduct product, const CellProblem<Number> &p)
        : LocalMatrices<Number>(
            p.cells, *p.form, product == NodeProduct::gathered, p.strategy,
            p.conflict, p.tail, p.boundary,
            n_blocks_of(product, p.cells->space(), p.form->n_components())),
          product(product)
      {
        const CellData<Number> &cells = *this->cells;
        const int n_rows              = n_rows_of(cells.space());
        if (n_rows > 0)
          around = list_cells_of_rows(cells, n_rows, true);
        if (product == NodeProduct::gathered)
          of_cells = {cells.backend(),
                      std::size_t(cells.n_batches()) * cells.lanes() *
                        cells.space().dofs_per_cell() * this->n_components};
      }

      void
      diagonal(Vector<Number> &d, const Stream stream) const override
      {
        d.zero(stream);
        apply_rows({this->cells->view(this->conflict),
                    this->cells->batches_per_block(),
                    {},
                    this->conflict,
                    nullptr,
                    d.data(),
                    false,
                    {}},
                   this->values(), true, stream);
        this->finish_diagonal(d, stream);
      }

      /// Compulsory: the bytes of local matrices, the lists of cells, and for
      /// `gathered` the results of cells, written and read.
      Traffic
      traffic() const override
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

      /// True unless faces add to rows by atomics.
      bool
      repeatable() const override
      {
        return !this->boundary || LocalMatrices<Number>::repeatable();
      }

      std::string
      name() const override
      {
        return product == NodeProduct::node_by_node ? "node_by_node"
               : product == NodeProduct::dof_by_dof ? "dof_by_dof"
                                                    : "local_matrices_gathered";
      }

    protected:
      /// Works on all rows for `all` and for `boundary`, and on none for
      /// `interior`, because a row has cells of both kinds.
      void
      launch_range(CellApply<Number> apply, const CellRange range,
                   const Stream stream) const override
      {
        if (range != CellRange::all && range != CellRange::boundary)
          return;
        if (product != NodeProduct::gathered)
          return apply_rows(apply, this->values(), false, stream);
        apply.blocks = {nullptr, 0, this->cells->n_blocks()};
        this->launch_apart(apply, of_cells.data(), stream);
        apply_rows(apply, of_cells, false, stream);
      }

      bool
      stores_all_nodes() const override
      {
        return true;
      }

    private:
      /// Works on all rows, with cell matrices or the stored results of cells.
      void
      apply_rows(const CellApply<Number> &apply, const Array<Number> &values,
                 const bool diagonal, const Stream stream) const
      {
        const CellData<Number> &cells = *this->cells;
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

      NodeProduct product;
      CellsOfRows around;
      mutable Array<Number> of_cells;
    };

    OperatorDescriptor
    describe(const std::string &name, const std::string &sentence,
             const std::string &source, const NodeProduct product)
    {
      OperatorDescriptor d{name, sentence, source};
      d.from_cells([product](auto number, const auto &p) {
        return std::make_unique<NodeProducts<decltype(number)>>(product, p);
      });
      const bool gathered = product == NodeProduct::gathered;
      // Beside the values: lists of cells, and the results of cells.
      d.memory = [gathered](const MemoryCounts &n, const StorageOptions &) {
        const double entries =
          gathered ? n.nodes * (n.nodes + 3) / 2 : n.nodes * n.nodes;
        return entries * n.number_bytes + 4 * n.nodes + 8 * n.dofs;
      };
      return d;
    }

    OperatorDescriptor
    describe_node_by_node()
    {
      return describe("node_by_node",
                      "the dense matrix of every cell; a thread for each node "
                      "adds up the rows that its cells have for it (NbN)",
                      "KiranGautamSharma2020, section 2.2",
                      NodeProduct::node_by_node);
    }

    const Registration<OperatorDescriptor> node_by_node_registration(
      describe_node_by_node);

    OperatorDescriptor
    describe_dof_by_dof()
    {
      return describe(
        "dof_by_dof",
        "the dense matrix of every cell; a thread for each degree "
        "of freedom adds up the rows that its cells have for it "
        "(DbD)",
        "KiranGautamSharma2020, section 2.3", NodeProduct::dof_by_dof);
    }

    const Registration<OperatorDescriptor> dof_by_dof_registration(
      describe_dof_by_dof);

    OperatorDescriptor
    describe_local_matrices_gathered()
    {
      OperatorDescriptor d =
        describe("local_matrices_gathered",
                 "the upper half of the matrix of every cell; cells store "
                 "what they have for the product, then every row adds it up",
                 "WongKuhlDarve2015, section 4", NodeProduct::gathered);
      d.takes_symmetric_forms();
      return d;
    }

    const Registration<OperatorDescriptor> local_matrices_gathered_registration(
      describe_local_matrices_gathered);
  } // namespace
} // namespace tessera
