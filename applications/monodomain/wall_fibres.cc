#include "wall_fibres.h"
#include <tessera/base/error.h>
#include <tessera/fem/bridge/transfer.h>
#include <tessera/fem/distributed/face_trace.h>
#include <tessera/fem/fields/named_ids.h>
#include <tessera/fem/fields/sampling.h>
#include <tessera/fem/input/expression.h>
#include <tessera/solvers/cg.h>

#include <deal.II/base/bounding_box.h>

#include <algorithm>
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

    /// Linear elements on the mesh of a case, beside its own field. Nodes on
    /// surfaces are given.
    template <int dim>
    class Potentials
    {
    public:
      using Ids = std::set<dealii::types::boundary_id>;

      Potentials(Discretization<dim> &of_case,
                 const std::array<Ids, 3> &surfaces, const Form &diffusion)
        : d(of_case, 1), diffusion(diffusion)
      {
        try
          {
            d.build([&]() { return constraints(surfaces); });
          }
        catch (const NothingToSolve &)
          {
            has_free_nodes = false;
          }
        if (!has_free_nodes)
          return;
        problem.emplace(d.template problem<double>());
        matrix         = problem->make_operator("csr", diffusion, {});
        preconditioner = problem->make_preconditioner("jacobi", *matrix);
      }

      const CellNodes<dim> &
      cells() const
      {
        return d.cells();
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
            problem->lift(b, diffusion, g);
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
        const CellNodes<dim> &cells = d.cells();
        const PointFields<dim> at_point{
          {{"u", 1}, {"gradient", dim}}, []() {
            return [](const typename PointFields<dim>::Solution &solution,
                      double *const numbers) {
              numbers[0] = solution.values[0];
              std::copy_n(solution.gradients[0].begin_raw(), dim, numbers + 1);
            };
          }};
        const auto quantities = quantities_of(at_point, cells, u);
        values.resize(cells.n_cells());
        gradients.assign(values.size(), Vector3());
#pragma omp parallel
        {
          const auto evaluate = quantities->at(
            {cells.element().reference_cell().template barycenter<dim>()});
          std::array<double, 1 + dim> numbers;
#pragma omp for schedule(static)
          for (int c = 0; c < cells.n_cells(); ++c)
            {
              evaluate(c, numbers.data());
              values[c] = numbers[0];
              for (int i = 0; i < dim; ++i)
                gradients[c][i] = numbers[1 + i];
            }
        }
      }

    private:
      /// Notes the surfaces of nodes, which are given there.
      dealii::AffineConstraints<double>
      constraints(const std::array<Ids, 3> &surfaces)
      {
        const CellNodes<dim> &cells = d.cells();
        surface_of.assign(cells.n_dofs(), -1);
        dealii::AffineConstraints<double> result;
        FaceTrace<dim> trace(cells, {});
        for (int i = 0; i < 3; ++i)
          for (const MeshFace &face : cells.boundary_faces(surfaces[i]))
            {
              trace.reinit(face);
              for (const int node : trace.nodes())
                if (surface_of[node] < 0)
                  {
                    surface_of[node] = i;
                    result.add_line(node);
                  }
            }
        result.close();
        return result;
      }

      Discretization<dim> d;
      const Form &diffusion;
      std::vector<int> surface_of; ///< of nodes, or -1
      bool has_free_nodes = true;
      std::optional<Problem<double>> problem;
      std::unique_ptr<Operator<double>> matrix;
      std::unique_ptr<Preconditioner<double>> preconditioner;
    };
  } // namespace


  std::array<double, 6>
  wall_fibre(const std::array<double, 3> &through,
             const std::array<double, 3> &axis, const double angle,
             const double sheet_angle)
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
                          std::sin(angle) * unit,
                      s =
                        std::cos(sheet_angle) * t +
                        std::sin(sheet_angle) * dealii::cross_product_3d(t, n);
        return {{n[0], n[1], n[2], s[0], s[1], s[2]}};
      }
    return {};
  }


  template <int dim>
  void
  WallFibres<dim>::declare(Parameters &parameters, const std::string &section)
  {
    const Patterns::Anything any;
    const Patterns::Double angle(-90., 90.);
    const std::string rule = "laplace_dirichlet: ";
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
    const std::string sheet = rule + "degrees by which sheets ";
    parameters.declare(section + "/Endocardial sheet angle", "0", angle,
                       sheet +
                         "inside are turned around the fibre, from the "
                         "direction through the wall to the base");
    parameters.declare(section + "/Epicardial sheet angle", "0", angle,
                       sheet + "outside are turned");
    parameters.declare(section + "/Axis", "0, 0, 1", any,
                       rule + "direction x, y, z from the apex to the base");
  }


  template <int dim>
  WallFibres<dim>::WallFibres(const Parameters &parameters,
                              const std::string &section)
    : section(section),
      inside(degree * parameters.get_double(section + "/Endocardial angle")),
      outside(degree * parameters.get_double(section + "/Epicardial angle")),
      sheet_inside(degree *
                   parameters.get_double(section + "/Endocardial sheet angle")),
      sheet_outside(degree *
                    parameters.get_double(section + "/Epicardial sheet angle"))
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
  std::vector<std::array<double, 6>>
  WallFibres<dim>::directions(Discretization<dim> &d,
                              const Form &diffusion) const
  {
    std::array<Ids, 3> ids;
    d.collectively([&]() { ids = find_surfaces(d.mesh()); });
    const Potentials<dim> potentials(d, ids, diffusion);
    std::vector<double> u[2];
    std::vector<Vector3> gradients[2];
    for (int i = 0; i < (ids[1].empty() ? 1 : 2); ++i)
      {
        const auto values = potentials.solve(i);
        d.collectively(
          [&]() { potentials.at_centres(values, u[i], gradients[i]); });
      }

    std::vector<std::array<double, 6>> result(u[0].size());
    d.collectively([&]() {
      const CellNodes<dim> &cells = potentials.cells();
      std::vector<dealii::Point<dim>> support;
      for (int c = 0; c < cells.n_cells(); ++c)
        {
          if (!cells.is_own(c))
            continue;
          const bool right = !u[1].empty() && u[0][c] < u[1][c] &&
                             u[0][c] < 1 - u[0][c] - u[1][c];
          const Vector3 &gradient = gradients[right ? 1 : 0][c];
          const double of_endo    = u[right ? 1 : 0][c];
          cells.map_points(c, support);
          const dealii::BoundingBox<dim> box(support);
          const auto [lower, upper] = box.get_boundary_points();
          if (gradient.norm() * lower.distance(upper) < 1e-8)
            throw MeshError(
              "Around " + place<dim>(box.center().begin_raw()) + ", the " +
              d.mesh().source +
              " has a part that is not between the boundaries of '" + section +
              "', which the rule of fibres needs.");
          result[c] =
            wall_fibre({{-gradient[0], -gradient[1], -gradient[2]}}, axis,
                       of_endo * inside + (1 - of_endo) * outside,
                       of_endo * sheet_inside + (1 - of_endo) * sheet_outside);
        }
    });
    return result;
  }


  template class WallFibres<2>;
  template class WallFibres<3>;
} // namespace tessera
