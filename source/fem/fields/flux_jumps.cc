#include <tessera/fem/bridge/active_cells.h>

#include <tessera/fem/fields/flux_jumps.h>

#include <deal.II/base/quadrature_lib.h>

#include <deal.II/fe/fe_values.h>

#include <cmath>
#include <memory>
#include <vector>

namespace tessera
{
  namespace
  {
    /// Integrates over the faces of cells, with a thread's own memory.
    template <int dim>
    class Jumps
    {
    public:
      using Cell = typename dealii::DoFHandler<dim>::active_cell_iterator;

      Jumps(const dealii::Mapping<dim> &mapping,
            const dealii::FiniteElement<dim> &fe,
            const dealii::Vector<double> &u, Conductivity<dim> kappa)
        : u(u), kappa(std::move(kappa)), rule(fe.degree + 1),
          inner(mapping, fe, rule, flags() | dealii::update_JxW_values),
          outer(mapping, fe, rule, flags()),
          inner_part(mapping, fe, rule, flags() | dealii::update_JxW_values),
          outer_part(mapping, fe, rule, flags()), gradients(rule.size())
      {}

      /// Returns eta_K^2.
      double
      of(const Cell &cell)
      {
        double sum = 0;
        for (const unsigned int f : cell->face_indices())
          if (!cell->at_boundary(f))
            sum += of_face(cell, f);
        return cell->diameter() / 24 * sum;
      }

    private:
      static dealii::UpdateFlags
      flags()
      {
        return dealii::update_gradients | dealii::update_quadrature_points |
               dealii::update_normal_vectors;
      }

      double
      of_face(const Cell &cell, const unsigned int f)
      {
        double sum = 0;
        if (cell->face(f)->has_children())
          for (unsigned int part = 0; part < cell->face(f)->n_children();
               ++part)
            {
              const Cell child = cell->neighbor_child_on_subface(f, part);
              inner_part.reinit(cell, f, part);
              outer.reinit(child, cell->neighbor_of_neighbor(f));
              sum += of_points(inner_part, cell, outer, child);
            }
        else if (const Cell neighbor = cell->neighbor(f);
                 cell->neighbor_is_coarser(f))
          {
            const auto [face, part] = cell->neighbor_of_coarser_neighbor(f);
            inner.reinit(cell, f);
            outer_part.reinit(neighbor, face, part);
            sum += of_points(inner, cell, outer_part, neighbor);
          }
        else
          {
            inner.reinit(cell, f);
            outer.reinit(neighbor, cell->neighbor_of_neighbor(f));
            sum += of_points(inner, cell, outer, neighbor);
          }
        return sum;
      }

      /// Returns the integral of the square of the jump.
      double
      of_points(const dealii::FEFaceValuesBase<dim> &mine, const Cell &cell,
                const dealii::FEFaceValuesBase<dim> &other,
                const Cell &neighbor)
      {
        std::vector<double> jump(rule.size());
        mine.get_function_gradients(u, gradients);
        for (unsigned int q = 0; q < rule.size(); ++q)
          jump[q] = kappa(cell, mine.quadrature_point(q)) * gradients[q] *
                    mine.normal_vector(q);
        other.get_function_gradients(u, gradients);
        double sum = 0;
        for (unsigned int q = 0; q < rule.size(); ++q)
          {
            jump[q] -= kappa(neighbor, other.quadrature_point(q)) *
                       gradients[q] * mine.normal_vector(q);
            sum += jump[q] * jump[q] * mine.JxW(q);
          }
        return sum;
      }

      const dealii::Vector<double> &u;
      const Conductivity<dim> kappa;
      const dealii::QGauss<dim - 1> rule;
      dealii::FEFaceValues<dim> inner, outer;
      dealii::FESubfaceValues<dim> inner_part, outer_part;
      std::vector<dealii::Tensor<1, dim>> gradients;
    };
  } // namespace


  template <int dim>
  dealii::Vector<float>
  flux_jumps(const dealii::Mapping<dim> &mapping,
             const dealii::DoFHandler<dim> &dof_handler,
             const dealii::Vector<double> &u,
             const std::function<Conductivity<dim>()> &make_kappa,
             const Division &division)
  {
    dealii::Vector<float> indicators(
      dof_handler.get_triangulation().n_active_cells());
    for_active_cells(dof_handler, [&]() {
      return [&, jumps = std::make_shared<Jumps<dim>>(
                   mapping, dof_handler.get_fe(), u, make_kappa())](
               const auto &cell) {
        if (is_own(division, cell))
          indicators[cell->active_cell_index()] =
            static_cast<float>(std::sqrt(jumps->of(cell)));
      };
    });
    return indicators;
  }


#define INSTANTIATE(dim)                                           \
  template dealii::Vector<float> flux_jumps(                       \
    const dealii::Mapping<dim> &, const dealii::DoFHandler<dim> &, \
    const dealii::Vector<double> &,                                \
    const std::function<Conductivity<dim>()> &, const Division &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
