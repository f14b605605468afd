#include "dealii_operators.h"

#include <tessera/base/names.h>

#include <deal.II/lac/la_parallel_vector.h>
#include <deal.II/matrix_free/fe_evaluation.h>
#include <deal.II/matrix_free/matrix_free.h>

namespace tessera::benchmarks
{
  namespace
  {
    template <int dim, class Number>
    using Data = dealii::MatrixFree<dim, Number>;

    /// Degree -1 means that it is known at run time, as for simplices.
    template <int dim, int degree, class Number>
    class MatrixFreePeer
      : public VectorPeer<dealii::LinearAlgebra::distributed::Vector<Number>>
    {
    public:
      using Vector = dealii::LinearAlgebra::distributed::Vector<Number>;

      MatrixFreePeer(const Discretization<dim> &d, const int scheme)
        : k(conductivity_tensor<dim>())
      {
        using Options = typename Data<dim, Number>::AdditionalData;
        Options options;
        options.tasks_parallel_scheme = scheme == 0
                                          ? Options::partition_partition
                                        : scheme == 1 ? Options::partition_color
                                                      : Options::color;
        options.mapping_update_flags =
          dealii::update_gradients | dealii::update_JxW_values;
        data.reinit(d.mapping, d.dof_handler,
                    d.template constraints_of<Number>(), d.quadrature, options);
        data.initialize_dof_vector(x);
        data.initialize_dof_vector(result);
      }

      void
      vmult() override
      {
        data.cell_loop(&MatrixFreePeer::cells, this, result, x, true);
      }

    private:
      void
      cells(const Data<dim, Number> &, Vector &to, const Vector &from,
            const std::pair<unsigned int, unsigned int> &range) const
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
      using VectorPeer<Vector>::x;
      using VectorPeer<Vector>::result;
    };
  } // namespace

  std::vector<std::string>
  matrix_free_schemes()
  {
    return {"partition_partition", "partition_color", "color"};
  }

  template <int dim, class Number>
  std::unique_ptr<Peer>
  make_dealii_matrix_free(const Discretization<dim> &d,
                          const std::string &scheme)
  {
    const int index = index_of_name(scheme, matrix_free_schemes(), "scheme");
    if (d.fe->reference_cell().is_simplex())
      return std::make_unique<MatrixFreePeer<dim, -1, Number>>(d, index);
    switch (d.fe->degree)
      {
        case 1:
          return std::make_unique<MatrixFreePeer<dim, 1, Number>>(d, index);
        case 2:
          return std::make_unique<MatrixFreePeer<dim, 2, Number>>(d, index);
        case 3:
          return std::make_unique<MatrixFreePeer<dim, 3, Number>>(d, index);
        default:
          return std::make_unique<MatrixFreePeer<dim, 4, Number>>(d, index);
      }
  }

  template std::unique_ptr<Peer>
  make_dealii_matrix_free<2, double>(const Discretization<2> &,
                                     const std::string &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<2, float>(const Discretization<2> &,
                                    const std::string &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<3, double>(const Discretization<3> &,
                                     const std::string &);
  template std::unique_ptr<Peer>
  make_dealii_matrix_free<3, float>(const Discretization<3> &,
                                    const std::string &);
} // namespace tessera::benchmarks
