#include <tessera/fem/bridge/active_cells.h>

#include "wall_fibres.h"
#include <tessera/base/error.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/expression.h>
#include <tessera/solvers/cg.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <cmath>
#include <utility>

namespace tessera
{
  namespace
  {
    using Vector3 = dealii::Tensor<1, 3>;

    constexpr double degree = M_PI / 180;

    /// The entries of the surfaces.
    const std::array<std::string, 3> names = {
      {"Left endocardium", "Right endocardium", "Epicardium"}};

    Vector3
    vector_of(const std::array<double, 3> &values)
    {
      return Vector3(dealii::ArrayView<const double>(values.data(), 3));
    }

    /// Linear elements on the mesh of a case, where nodes on surfaces are
    /// given.
    template <int dim>
    class Potentials
    {
    public:
      using Ids = std::set<dealii::types::boundary_id>;

      /// Builds the case, which must outlive this object.
      Potentials(Discretization<dim> &d, const std::array<Ids, 3> &surfaces,
                 const Form &diffusion)
        : d(d), diffusion(diffusion)
      {
        const int degree       = std::exchange(d.entry.problem.degree, 1);
        const auto on_surfaces = [&]() { return constraints(surfaces); };
        try
          {
            d.needs_all_cells = true;
            d.build(on_surfaces);
          }
        catch (const NothingToSolve &)
          {
            has_free_nodes = false;
          }
        d.entry.problem.degree = degree;
        if (!has_free_nodes)
          return;
        discrete.emplace(d.space, d.backend, d.template parts<double>());
        matrix         = discrete->make_operator("csr", diffusion);
        preconditioner = discrete->make_preconditioner("jacobi", *matrix);
      }

      /// Returns u that is 1 on a surface and 0 on the others, [n_dofs] of the
      /// mesh that this process knows of, right at the nodes of its cells.
      dealii::Vector<double>
      solve(const int surface) const
      {
        std::vector<double> given(surface_of.size());
        for (std::size_t i = 0; i < surface_of.size(); ++i)
          given[i] = surface_of[i] == surface ? 1 : 0;
        d.import(given); // some surfaces are out of sight
        std::vector<double> u = given;
        if (has_free_nodes)
          {
            auto x = matrix->make_vector(), b = matrix->make_vector(),
                 g = matrix->make_vector();
            import_dofs(g, *d.space, given);
            discrete->lift(b, diffusion, g);
            CGControl control;
            control.relative_tolerance = 1e-9;
            const CGResult result =
              CG<double>(*matrix, *preconditioner).solve(x, b, control);
            if (!result.converged)
              throw NotConverged(
                "The Laplace equation of the fibres is not "
                "solved: " +
                describe(result));
            export_dofs(x, *d.space, u);
          }
        d.complete(u, given);
        return dealii::Vector<double>(u.begin(), u.end());
      }

      /// Sets u and its gradient at the centre of every active cell.
      void
      at_centres(const dealii::Vector<double> &u, std::vector<double> &values,
                 std::vector<Vector3> &gradients) const
      {
        values.resize(d.mesh.triangulation().n_active_cells());
        gradients.resize(values.size());
        const dealii::Quadrature<dim> centre(d.mesh.triangulation()
                                               .get_reference_cells()[0]
                                               .template barycenter<dim>());
        for_active_cells(d.dof_handler(), [&]() {
          return [&,
                  shape    = dealii::FEValues<dim>(*d.mapping, *d.fe, centre,
                                                dealii::update_values |
                                                  dealii::update_gradients),
                  value    = std::vector<double>(1),
                  gradient = std::vector<dealii::Tensor<1, dim>>(1)](
                   const auto &cell) mutable {
            shape.reinit(cell);
            shape.get_function_values(u, value);
            shape.get_function_gradients(u, gradient);
            const unsigned int c = cell->active_cell_index();
            values[c]            = value[0];
            gradients[c]         = Vector3();
            for (int d = 0; d < dim; ++d)
              gradients[c][d] = gradient[0][d];
          };
        });
      }

    private:
      /// Notes the surfaces of nodes, which are given there.
      dealii::AffineConstraints<double>
      constraints(const std::array<Ids, 3> &surfaces)
      {
        surface_of.assign(d.dof_handler().n_dofs(), -1);
        dealii::AffineConstraints<double> result;
        for (int i = 0; i < 3; ++i)
          if (!surfaces[i].empty())
            for (const auto dof : dealii::DoFTools::extract_boundary_dofs(
                   d.dof_handler(), dealii::ComponentMask(), surfaces[i]))
              if (surface_of[dof] < 0)
                {
                  surface_of[dof] = i;
                  result.add_line(dof);
                }
        result.close();
        return result;
      }

      Discretization<dim> &d;
      const Form &diffusion;
      std::vector<int> surface_of; ///< of nodes, or -1
      bool has_free_nodes = true;
      std::optional<Problem<double>> discrete;
      std::unique_ptr<Operator<double>> matrix;
      std::unique_ptr<Preconditioner<double>> preconditioner;
    };
  } // namespace


  std::array<double, 3>
  wall_fibre(const std::array<double, 3> &through,
             const std::array<double, 3> &axis, const double angle)
  {
    const double length = vector_of(through).norm();
    if (!(length > 0))
      return {};
    const Vector3 t = vector_of(through) / length;
    for (const auto &other : std::array<std::array<double, 3>, 4>{
           {axis, {{1., 0., 0.}}, {{0., 1., 0.}}, {{0., 0., 1.}}}})
      {
        const Vector3 candidate = vector_of(other),
                      l         = candidate - (candidate * t) * t;
        if (!(l.norm() > 1e-6 * candidate.norm()))
          continue;
        const Vector3 unit = l / l.norm(),
                      n = std::cos(angle) * dealii::cross_product_3d(unit, t) +
                          std::sin(angle) * unit;
        return {{n[0], n[1], n[2]}};
      }
    return {};
  }


  template <int dim>
  void
  WallFibres<dim>::declare(Parameters &parameters, const std::string &section)
  {
    const Patterns::Anything any;
    const Patterns::Double angle(-90., 90.);
    const std::string rule = "for the rule laplace_dirichlet: ";
    const std::string ids  = "boundaries, ids or names separated by commas, ";
    parameters.declare(section + '/' + names[0], "", any,
                       rule + ids +
                         "inside the left ventricle or the only one");
    parameters.declare(section + '/' + names[1], "", any,
                       rule + ids +
                         "inside the right ventricle; empty: there is none");
    parameters.declare(section + '/' + names[2], "", any,
                       rule + ids + "outside");
    parameters.declare(section + "/Endocardial angle", "60", angle,
                       rule +
                         "degrees by which fibres inside rise from the "
                         "direction around the axis, which is "
                         "counterclockwise as seen from the base");
    parameters.declare(section + "/Epicardial angle", "-60", angle,
                       rule +
                         "the same outside, and on the right of the "
                         "septum");
    parameters.declare(section + "/Axis", "0, 0, 1", any,
                       rule + "direction x, y, z from the apex to the base");
  }


  template <int dim>
  WallFibres<dim>::WallFibres(const Parameters &parameters,
                              const std::string &section)
    : section(section),
      inside(degree * parameters.get_double(section + "/Endocardial angle")),
      outside(degree * parameters.get_double(section + "/Epicardial angle"))
  {
    for (int i = 0; i < 3; ++i)
      {
        surfaces[i] = parameters.get_list(section + '/' + names[i]);
        if (surfaces[i].empty() && i != 1)
          throw ParameterError("'" + section + '/' + names[i] +
                               "' is empty; the rule laplace_dirichlet needs "
                               "boundaries there.");
      }
    const std::string entry     = section + "/Axis";
    const dealii::Point<3> from = read_point<3>(parameters.get(entry), entry);
    if (!(from.norm() > 0))
      throw ParameterError("'" + entry + "' is " + parameters.get(entry) +
                           "; legal are directions of a length that is not 0.");
    axis = {{from[0], from[1], from[2]}};
  }


  template <int dim>
  std::array<typename WallFibres<dim>::Ids, 3>
  WallFibres<dim>::find_surfaces(const Mesh<dim> &mesh) const
  {
    const NamedIds existing = NamedIds::boundaries(mesh);
    std::array<Ids, 3> ids;
    std::map<unsigned int, std::string> claimed;
    for (int i = 0; i < 3; ++i)
      for (const std::string &name : surfaces[i])
        for (const unsigned int id :
             existing.find(name, section + '/' + names[i]))
          {
            const auto [other, is_new] = claimed.emplace(id, names[i]);
            if (!is_new && other->second != names[i])
              throw MeshError(existing.describe(name, id) + " is named by '" +
                              section + '/' + other->second + "' and by '" +
                              names[i] + "'; leave it to one of them.");
            ids[i].insert(id);
          }
    return ids;
  }


  template <int dim>
  std::vector<std::array<double, 3>>
  WallFibres<dim>::directions(Discretization<dim> &d,
                              const Form &diffusion) const
  {
    std::array<Ids, 3> ids;
    d.collectively([&]() { ids = find_surfaces(d.mesh); });
    const Potentials<dim> potentials(d, ids, diffusion);
    std::vector<double> u[2];
    std::vector<Vector3> gradients[2];
    for (int i = 0; i < (ids[1].empty() ? 1 : 2); ++i)
      {
        const auto values = potentials.solve(i);
        d.collectively(
          [&]() { potentials.at_centres(values, u[i], gradients[i]); });
      }

    std::vector<std::array<double, 3>> result(u[0].size());
    d.collectively([&]() {
      for (const auto &cell : d.mesh.triangulation().active_cell_iterators())
        {
          if (!is_here(d.division, cell))
            continue;
          const unsigned int c = cell->active_cell_index();
          const bool right     = !u[1].empty() && u[0][c] < u[1][c] &&
                             u[0][c] < 1 - u[0][c] - u[1][c];
          const Vector3 &gradient = gradients[right ? 1 : 0][c];
          const double of_endo    = u[right ? 1 : 0][c];
          if (gradient.norm() * cell->diameter() < 1e-8)
            throw MeshError(
              "Around " + place<dim>(cell->center().begin_raw()) + ", the " +
              d.mesh.source +
              " has a part that is not between the boundaries of '" + section +
              "', which the rule of fibres needs.");
          result[c] =
            wall_fibre({{-gradient[0], -gradient[1], -gradient[2]}}, axis,
                       of_endo * inside + (1 - of_endo) * outside);
        }
    });
    return result;
  }


  template class WallFibres<2>;
  template class WallFibres<3>;
} // namespace tessera
