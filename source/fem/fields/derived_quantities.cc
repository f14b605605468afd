#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/cells_in_order.h>
#include <tessera/fem/fields/derived_quantities.h>
#include <tessera/parallel/node_exchange.h>

#include <algorithm>

namespace tessera
{
  namespace
  {
    /// Adds the sums of other processes at nodes that they share.
    void
    add_shared(std::vector<dealii::Vector<double>> &sums,
               const Division &division, const MeshNodes &shared)
    {
      const NodeExchange exchange(division.processes(), shared);
      for (auto &sum : sums)
        {
          std::vector<double> values(sum.begin(), sum.end());
          exchange.export_add(values);
          exchange.import(values);
          std::copy(values.begin(), values.end(), sum.begin());
        }
    }

    template <int dim>
    class QuantitiesOfSolution : public DerivedQuantities<dim>
    {
    public:
      using typename DerivedQuantities<dim>::AtPoints;

      QuantitiesOfSolution(const PointFields<dim> &fields,
                           const CellNodes<dim> &cells,
                           const dealii::Vector<double> &u)
        : fields(fields), cells(cells), u(u),
          n(cells.components_of(u.size(), "u"))
      {}

      std::vector<std::string>
      columns() const override
      {
        std::vector<std::string> result;
        for (const auto &[name, n_numbers] : fields.names)
          for (int d = 0; d < n_numbers; ++d)
            result.push_back(name + (n_numbers == 1
                                       ? std::string()
                                       : std::string("_") + "xyz"[d]));
        return result;
      }

      AtPoints
      at(const std::vector<dealii::Point<dim>> &points) const override
      {
        return [this, compute = fields.make(),
                in_cell = typename PointFields<dim>::Solution(),
                values  = std::make_shared<CellValues<dim>>(cells, points)](
                 const std::size_t cell, double *const numbers) mutable {
          evaluate(cell, *values, in_cell);
          compute(in_cell, numbers);
        };
      }

    private:
      void
      evaluate(const std::size_t cell, CellValues<dim> &values,
               typename PointFields<dim>::Solution &in_cell) const
      {
        const std::size_t n_points = values.n_points();
        values.reinit(cell);
        in_cell.cell = cell;
        in_cell.points.resize(n_points);
        in_cell.values.assign(n_points * n, 0.);
        in_cell.gradients.resize(n_points * n);
        for (std::size_t q = 0; q < n_points; ++q)
          {
            in_cell.points[q]  = values.point(q);
            const auto inverse = invert(values.jacobian(q));
            for (int a = 0; a < n; ++a)
              {
                dealii::Tensor<1, dim> gradient;
                double &value = in_cell.values[q * n + a];
                for (const auto &shape : values.shapes(q))
                  {
                    const double at_node =
                      u[cells.place(values.nodes()[shape.node], a, n)];
                    value += shape.value * at_node;
                    gradient += at_node * shape.gradient;
                  }
                in_cell.gradients[q * n + a] = gradient * inverse;
              }
          }
      }

      const PointFields<dim> fields;
      const CellNodes<dim> &cells;
      const dealii::Vector<double> &u;
      const int n;
    };
  } // namespace


  template <int dim>
  std::unique_ptr<DerivedQuantities<dim>>
  quantities_of(const PointFields<dim> &fields, const CellNodes<dim> &cells,
                const dealii::Vector<double> &u)
  {
    return std::make_unique<QuantitiesOfSolution<dim>>(fields, cells, u);
  }


  template <int dim>
  std::vector<dealii::Vector<double>>
  smooth(const DerivedQuantities<dim> &derived, const CellNodes<dim> &cells)
  {
    const bool several         = cells.division().n_processes() > 1;
    const std::size_t n        = cells.nodes_per_cell(),
                      n_fields = derived.columns().size();
    std::vector<int> own;
    for (int cell = 0; cell < cells.n_cells(); ++cell)
      if (cells.is_own(cell))
        own.push_back(cell);
    const auto rule = cell_quadrature<dim>(cells.cell_type(), cells.degree());
    // The sums of the fields, and the volumes of the cells at a node.
    std::vector<dealii::Vector<double>> sums(
      n_fields + 1, dealii::Vector<double>(cells.n_nodes()));
    // Nodes are shared as their first components are.
    const MeshNodes &dofs = cells.shared_dofs().nodes;
    MeshNodes shared{std::vector<int>(cells.n_nodes(), -1),
                     std::vector<std::int64_t>(cells.n_nodes(), -1)};
    add_in_order(
      static_cast<std::ptrdiff_t>(own.size()), 1 + n_fields * n,
      [&]() {
        return [&, at_nodes = derived.at(cells.unit_nodes()),
                in_cell = CellValues<dim>(cells, rule.get_points())](
                 const std::ptrdiff_t c, double *values) mutable {
          in_cell.reinit(own[c]);
          double &volume = *values++;
          volume         = 0;
          for (std::size_t q = 0; q < rule.size(); ++q)
            volume += rule.weight(q) * determinant(in_cell.jacobian(q));
          at_nodes(own[c], values);
        };
      },
      [&](const std::ptrdiff_t c, const double *const values,
          const NodesOfThread &is_mine) {
        const double volume = values[0];
        for (std::size_t i = 0; i < n; ++i)
          {
            const int node = cells.nodes(own[c])[i];
            if (!is_mine(node))
              continue;
            if (several)
              {
                shared.owner[node] = dofs.owner[cells.dof(node, 0)];
                shared.id[node]    = dofs.id[cells.dof(node, 0)];
              }
            for (std::size_t k = 0; k < n_fields; ++k)
              sums[k][node] += volume * values[1 + i * n_fields + k];
            sums[n_fields][node] += volume;
          }
      });
    if (several)
      add_shared(sums, cells.division(), shared);
    for (std::size_t k = 0; k < n_fields; ++k)
      for (std::size_t i = 0; i < sums[k].size(); ++i)
        if (sums[n_fields][i] > 0)
          sums[k][i] /= sums[n_fields][i];
    sums.pop_back();
    return sums;
  }


#define INSTANTIATE(dim)                                          \
  template std::unique_ptr<DerivedQuantities<dim>> quantities_of( \
    const PointFields<dim> &, const CellNodes<dim> &,             \
    const dealii::Vector<double> &);                              \
  template std::vector<dealii::Vector<double>> smooth(            \
    const DerivedQuantities<dim> &, const CellNodes<dim> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
