#include "active_cells.h"
#include "mesh_tools.h"

#include <tessera/base/error.h>
#include <tessera/dealii/named_ids.h>
#include <tessera/dealii/sampling.h>
#include <tessera/dealii/transfer.h>
#include <tessera/dealii/wall_fibres.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/solvers/cg.h>

#include <deal.II/dofs/dof_tools.h>

#include <deal.II/fe/fe_values.h>

#include <cmath>

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

    /// Linear elements on a mesh, where nodes on surfaces are given.
    template <int dim>
    class Potentials
    {
    public:
      using Ids = std::set<dealii::types::boundary_id>;

      Potentials(const Mesh<dim> &mesh, const std::array<Ids, 3> &surfaces,
                 const Backend backend, const Form &laplace)
        : laplace(laplace), mapping(mesh.make_mapping(1)),
          fe(make_element<dim>(mesh.cell_type(), 1)),
          dof_handler(mesh.triangulation)
      {
        dof_handler.distribute_dofs(*fe);
        surface_of.assign(dof_handler.n_dofs(), -1);
        dealii::AffineConstraints<double> constraints;
        for (int i = 0; i < 3; ++i)
          if (!surfaces[i].empty())
            for (const auto dof : dealii::DoFTools::extract_boundary_dofs(
                   dof_handler, dealii::ComponentMask(), surfaces[i]))
              if (surface_of[dof] < 0)
                {
                  surface_of[dof] = i;
                  constraints.add_line(dof);
                }
        constraints.close();
        flat           = flatten(*mapping, dof_handler, constraints);
        cells          = make_cells<double>(flat, backend);
        matrix         = make_operator<double>("csr", cells, laplace);
        preconditioner = make_preconditioner<double>("jacobi", *matrix);
      }

      /// Returns u that is 1 on a surface and 0 on the others, [n_dofs].
      dealii::Vector<double>
      solve(const int surface) const
      {
        dealii::Vector<double> u(surface_of.size());
        for (std::size_t i = 0; i < surface_of.size(); ++i)
          u[i] = surface_of[i] == surface ? 1 : 0;
        auto x = cells->make_vector(), b = cells->make_vector(),
             g = cells->make_vector();
        import_dofs(g, cells->space(), u);
        lift(b, g, cells, laplace);
        CGControl control;
        control.relative_tolerance = 1e-9;
        const CGResult result =
          CG<double>(*matrix, *preconditioner).solve(x, b, control);
        if (!result.converged)
          throw NotConverged(
            "The Laplace equation of the fibres is not "
            "solved: " +
            describe(result));
        export_dofs(x, cells->space(), u);
        return u;
      }

      /// Sets u and its gradient at the centre of every active cell.
      void
      at_centres(const dealii::Vector<double> &u, std::vector<double> &values,
                 std::vector<Vector3> &gradients) const
      {
        const auto &triangulation = dof_handler.get_triangulation();
        values.resize(triangulation.n_active_cells());
        gradients.resize(values.size());
        const dealii::Quadrature<dim> centre(
          triangulation.get_reference_cells()[0].template barycenter<dim>());
        for_active_cells(dof_handler, [&]() {
          return [&,
                  shape    = dealii::FEValues<dim>(*mapping, *fe, centre,
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
      const Form &laplace;
      const std::unique_ptr<dealii::Mapping<dim>> mapping;
      const std::unique_ptr<dealii::FiniteElement<dim>> fe;
      dealii::DoFHandler<dim> dof_handler;
      std::vector<int> surface_of; ///< of nodes, or -1
      FlatProblem flat;
      std::shared_ptr<const CellData<double>> cells;
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
    namespace Patterns = dealii::Patterns;
    const Patterns::Anything any;
    const Patterns::Double angle(-90., 90.);
    const std::string rule = "of the rule laplace_dirichlet: ";
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
  std::vector<std::array<double, 3>>
  WallFibres<dim>::directions(const Mesh<dim> &mesh, const Backend backend,
                              const Form &laplace) const
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

    const Potentials<dim> potentials(mesh, ids, backend, laplace);
    std::vector<double> u[2];
    std::vector<Vector3> gradients[2];
    for (int i = 0; i < (ids[1].empty() ? 1 : 2); ++i)
      potentials.at_centres(potentials.solve(i), u[i], gradients[i]);

    std::vector<std::array<double, 3>> result(u[0].size());
    for (const auto &cell : mesh.triangulation.active_cell_iterators())
      {
        const unsigned int c = cell->active_cell_index();
        const bool right =
          !u[1].empty() && u[0][c] < u[1][c] && u[0][c] < 1 - u[0][c] - u[1][c];
        const Vector3 &gradient = gradients[right ? 1 : 0][c];
        const double of_endo    = u[right ? 1 : 0][c];
        if (gradient.norm() * cell->diameter() < 1e-8)
          throw MeshError(
            "Around " + mesh_tools::place(cell->center()) + ", the " +
            mesh.source +
            " has a part that is not between the boundaries of '" + section +
            "', which the rule of fibres needs.");
        result[c] =
          wall_fibre({{-gradient[0], -gradient[1], -gradient[2]}}, axis,
                     of_endo * inside + (1 - of_endo) * outside);
      }
    return result;
  }


  template class WallFibres<2>;
  template class WallFibres<3>;
} // namespace tessera
