#include "dealii_operators.h"

#include <deal.II/base/graph_coloring.h>
#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

#include <omp.h>

#include <algorithm>
#include <functional>

namespace tessera::benchmarks
{
  namespace
  {
    template <int dim, class Number>
    using Data = dealii::MatrixFree<dim, Number>;

    /// MatrixFree has no threads where deal.II is built with TBB of oneAPI, as
    /// Debian's is. Then we let our threads loop over coloured blocks of its
    /// batches.
#ifdef DEAL_II_TBB_WITH_ONEAPI
    constexpr bool has_schemes = false;
#else
    constexpr bool has_schemes = true;
#endif

    /// Degree -1 means that it is known at run time, as for simplices.
    template <int dim, int degree, class Number>
    class MatrixFreePeer
      : public VectorPeer<dealii::LinearAlgebra::distributed::Vector<Number>>
    {
    public:
      using Vector = dealii::LinearAlgebra::distributed::Vector<Number>;

      explicit MatrixFreePeer(const Discretization<dim> &d)
        : k(conductivity_tensor<dim>())
      {
        using Options = typename Data<dim, Number>::AdditionalData;
        Options options;
        options.mapping_update_flags =
          dealii::update_gradients | dealii::update_JxW_values;
        data.reinit(d.mapping, d.dof_handler,
                    d.template constraints_of<Number>(), d.quadrature, options);
        data.initialize_dof_vector(x);
        data.initialize_dof_vector(result);
        if (!has_schemes)
          color_blocks();
      }

      void
      vmult() override
      {
        if (has_schemes)
          return data.cell_loop(&MatrixFreePeer::cells, this, result, x, true);
        result = 0;
        for (const std::vector<Block> &color : colors)
#pragma omp parallel for schedule(dynamic)
          for (std::size_t b = 0; b < color.size(); ++b)
            cells(data, result, x, *color[b]);
      }

    private:
      using Batches = std::pair<unsigned int, unsigned int>;
      using Block   = std::vector<Batches>::iterator;

      /// Colours blocks of consecutive batches by their degrees of freedom.
      void
      color_blocks()
      {
        const unsigned int n = data.n_cell_batches();
        const unsigned int size =
          std::max<unsigned int>(1, n / (32 * omp_get_max_threads()));
        for (unsigned int first = 0; first < n; first += size)
          blocks.emplace_back(first, std::min(first + size, n));
        using Indices = std::vector<dealii::types::global_dof_index>;
        const std::function<Indices(const Block &)> indices =
          [&](const Block &block) {
            Indices of_block, of_cell;
            for (unsigned int b = block->first; b < block->second; ++b)
              for (unsigned int lane = 0;
                   lane < data.n_active_entries_per_cell_batch(b); ++lane)
                {
                  const auto cell = data.get_cell_iterator(b, lane);
                  of_cell.resize(cell->get_fe().n_dofs_per_cell());
                  cell->get_dof_indices(of_cell);
                  of_block.insert(of_block.end(), of_cell.begin(),
                                  of_cell.end());
                }
            return of_block;
          };
        colors = dealii::GraphColoring::make_graph_coloring(
          blocks.begin(), blocks.end(), indices);
      }

      void
      cells(const Data<dim, Number> &, Vector &to, const Vector &from,
            const Batches &range) const
      {
        dealii::FEEvaluation<dim, degree, degree + 1, 1, Number> cell(data);
        for (unsigned int batch = range.first; batch < range.second; ++batch)
          {
            cell.reinit(batch);
            cell.gather_evaluate(from, dealii::EvaluationFlags::gradients);
            for (unsigned int q = 0; q < cell.n_q_points; ++q)
              {
                const auto g = cell.get_gradient(q);
                dealii::Tensor<1, dim, dealii::VectorizedArray<Number>> flux;
                for (int i = 0; i < dim; ++i)
                  for (int j = 0; j < dim; ++j)
                    flux[i] += static_cast<Number>(k[i][j]) * g[j];
                cell.submit_gradient(flux, q);
              }
            cell.integrate_scatter(dealii::EvaluationFlags::gradients, to);
          }
      }

      const dealii::SymmetricTensor<2, dim> k;
      Data<dim, Number> data;
      std::vector<Batches> blocks;
      std::vector<std::vector<Block>> colors;
      using VectorPeer<Vector>::x;
      using VectorPeer<Vector>::result;
    };
  } // namespace

  const char *
  matrix_free_scheme()
  {
    return has_schemes ? "partition_partition" : "colored_blocks";
  }

  template <int dim, class Number>
  std::unique_ptr<Peer>
  make_dealii_matrix_free(const Discretization<dim> &d)
  {
    if (d.fe->reference_cell().is_simplex())
      return std::make_unique<MatrixFreePeer<dim, -1, Number>>(d);
    switch (d.fe->degree)
      {
        case 1:
          return std::make_unique<MatrixFreePeer<dim, 1, Number>>(d);
        case 2:
          return std::make_unique<MatrixFreePeer<dim, 2, Number>>(d);
        case 3:
          return std::make_unique<MatrixFreePeer<dim, 3, Number>>(d);
        default:
          return std::make_unique<MatrixFreePeer<dim, 4, Number>>(d);
      }
  }

  template std::unique_ptr<Peer>
  make_dealii_matrix_free<2, double>(const Discretization<2> &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<2, float>(const Discretization<2> &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<3, double>(const Discretization<3> &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<3, float>(const Discretization<3> &);
} // namespace tessera::benchmarks
