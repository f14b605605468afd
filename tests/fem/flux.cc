#include <tessera/fem/bridge/flatten.h>
#include <tessera/fem/fields/boundary_conditions.h>
#include <tessera/fem/fields/coefficients.h>
#include <tessera/fem/fields/flux.h>

#include <deal.II/numerics/vector_tools_interpolate.h>

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace
{
  using namespace tessera;

  /// u = 1 + 2 x - y (+ 3 z) + bend x^2 / 2; `flux` is kappa grad u without
  /// the last term.
  template <int dim>
  struct Field : dealii::Function<dim>
  {
    const double bend;
    dealii::Tensor<1, dim> gradient_of_u, flux;

    explicit Field(const double bend) : bend(bend)
    {
      const double gradients[] = {2, -1, 3};
      for (int d = 0; d < dim; ++d)
        gradient_of_u[d] = gradients[d];
      const dealii::SymmetricTensor<2, dim> k(kappa());
      flux = k * gradient_of_u;
    }

    static dealii::Tensor<2, dim>
    kappa()
    {
      dealii::Tensor<2, dim> k;
      for (int i = 0; i < dim; ++i)
        for (int j = 0; j < dim; ++j)
          k[i][j] = i == j ? 2. + i : 0.5;
      return k;
    }

    double
    value(const dealii::Point<dim> &p, const unsigned int = 0) const override
    {
      return 1 + gradient_of_u * p + bend * p[0] * p[0] / 2;
    }
  };

  /// The cells are of material 2 on the upper half of the unit cube, and of 5
  /// and 3 below.
  template <int dim>
  void
  set_materials(dealii::Triangulation<dim> &triangulation)
  {
    for (const auto &cell : triangulation.active_cell_iterators())
      cell->set_material_id(cell->center()[1] > 0.5   ? 2
                            : cell->center()[0] > 0.5 ? 3
                                                      : 5);
  }

  /// Returns the integrals of the normal component of the exact flux over the
  /// faces between two materials, as cells of the lower id see them.
  template <int dim>
  std::map<MaterialPair, double>
  exact_interface_fluxes(const dealii::DoFHandler<dim> &dof_handler,
                         const dealii::Mapping<dim> &mapping,
                         const CellType cell_type, const Field<dim> &u)
  {
    dealii::FEFaceValues<dim> values(
      mapping, dof_handler.get_fe(),
      cell_quadrature<dim - 1>(face_type(cell_type), 2),
      dealii::update_quadrature_points | dealii::update_normal_vectors |
        dealii::update_JxW_values);
    std::map<MaterialPair, double> fluxes;
    for (const auto &cell : dof_handler.active_cell_iterators())
      for (const unsigned int f : cell->face_indices())
        {
          if (cell->face(f)->at_boundary() ||
              cell->neighbor(f)->material_id() <= cell->material_id())
            continue;
          values.reinit(cell, f);
          double &sum =
            fluxes[{cell->material_id(), cell->neighbor(f)->material_id()}];
          for (const unsigned int q : values.quadrature_point_indices())
            sum += (u.flux + u.bend * values.quadrature_point(q)[0] *
                               Field<dim>::kappa()[0]) *
                   values.normal_vector(q) * values.JxW(q);
        }
    return fluxes;
  }

  /// A linear function, and a quadratic one of degree 2 and more with its
  /// source, is its own discrete solution, so all fluxes are exact. They are
  /// tested on the sides of the unit cube, some of which have Dirichlet,
  /// Neumann and Robin conditions, and between materials.
  template <int dim>
  void
  check(const std::string &cell_type, const int degree)
  {
    SCOPED_TRACE(cell_type + " " + std::to_string(degree));
    const Field<dim> u(degree > 1 ? 1. : 0.);
    const auto k_x = Field<dim>::kappa()[0];
    Parameters parameters;
    declare_mesh(parameters);
    MaterialExpression<dim>::declare(parameters, "Coefficient", "Expression",
                                     "1", "");
    MaterialExpression<dim>::declare(parameters, "Source",
                                     "Function expression", "0", "");
    BoundaryConditions<dim>::declare(parameters);
    parameters.set("Mesh/Cell type", cell_type);
    parameters.set("Mesh/Grid arguments", "0 : 1 : true");
    parameters.set("Mesh/Initial refinement", dim == 2 ? "2" : "1");
    parameters.set("Mesh/Distortion", "0.15");
    parameters.set("Coefficient/Expression",
                   dim == 2 ? "2; 0.5; 3" : "2; 0.5; 0.5; 3; 0.5; 4");
    parameters.set("Source/Function expression",
                   std::to_string(-k_x[0] * u.bend));
    const std::string formula =
      std::string(dim == 2 ? "1 + 2 * x - y" : "1 + 2 * x - y + 3 * z") +
      " + x^2 / 2 * " + std::to_string(u.bend);
    const std::string root = "Boundary conditions/";
    parameters.set(root + "Dirichlet 1/Boundaries", dim == 2 ? "0" : "0, 4");
    parameters.set(root + "Dirichlet 1/Function expression", formula);
    parameters.set(root + "Dirichlet 2/Boundaries", dim == 2 ? "2" : "2, 5");
    parameters.set(root + "Dirichlet 2/Function expression", formula);
    parameters.set(root + "Neumann 1/Boundaries", "1");
    parameters.set(root + "Neumann 1/Function expression",
                   std::to_string(u.flux[0] + u.bend * k_x[0]));
    parameters.set(root + "Robin 1/Boundaries", "3");
    parameters.set(root + "Robin 1/Coefficient expression", "1 + x");
    parameters.set(root + "Robin 1/Function expression",
                   std::to_string(u.flux[1]) + " + x * " +
                     std::to_string(u.bend * k_x[1]) + " + (1 + x) * (" +
                     formula + ")");

    Mesh<dim> mesh;
    make_mesh(mesh, parameters);
    set_materials(mesh.triangulation());
    const auto mapping = mesh.make_mapping(degree);
    const auto fe      = make_element<dim>(mesh.cell_type(), degree);
    dealii::DoFHandler<dim> dof_handler(mesh.triangulation());
    dof_handler.distribute_dofs(*fe);
    const BoundaryConditions<dim> boundary(parameters);
    const FlatProblem flat =
      flatten(*mapping, dof_handler,
              boundary.constraints(mesh, {*mapping, dof_handler}));
    const Space space =
      build_space(flat.connectivity, "batch_interleaved", CellOrder::hilbert);
    const MaterialExpression<dim> kappa(parameters, "Coefficient", "Expression",
                                        MaterialValues::tensor),
      source(parameters, "Source", "Function expression",
             MaterialValues::scalar);
    const Coefficient k       = kappa.coefficient(mesh, space),
                      f       = source.coefficient(mesh, space);
    const BoundaryFaces faces = boundary.faces(mesh, {*mapping, dof_handler});
    dealii::Vector<double> values(dof_handler.n_dofs());
    dealii::VectorTools::interpolate(*mapping, dof_handler, u, values);
    const typename MaterialExpression<dim>::Evaluator evaluator(kappa);
    const CellNodes<dim> cells(*mapping, dof_handler);
    const FluxProblem<dim> problem{
      cells,
      values,
      space,
      k,
      f,
      faces,
      boundary.dirichlet_boundaries(mesh),
      [&](const auto &, const dealii::Point<dim> &p) {
        return evaluator.tensor(0, p);
      }};
    const auto fluxes = boundary_fluxes(problem);
    ASSERT_EQ(fluxes.size(), 2u * dim);
    for (const auto &[id, value] : fluxes)
      {
        const double mean_x = id < 2 ? id : 0.5;
        const double flux   = u.flux[id / 2] + u.bend * k_x[id / 2] * mean_x;
        // The value is a sum of about a hundred terms of size 10.
        EXPECT_NEAR(value, flux * (id % 2 == 0 ? -1 : 1), 1e-11) << id;
      }
    const auto exact =
      exact_interface_fluxes(dof_handler, *mapping, mesh.cell_type(), u);
    const auto interfaces = interface_fluxes(problem);
    ASSERT_EQ(interfaces.size(), 3u);
    for (const auto &[ids, value] : interfaces)
      EXPECT_NEAR(value, exact.at(ids), 1e-11) << ids.first << ids.second;
  }

  TEST(Flux, OfFunctionsThatTheElementHas)
  {
    for (int degree = 1; degree <= 4; ++degree)
      check<2>("quadrilateral", degree);
    for (int degree = 1; degree <= 2; ++degree)
      {
        check<2>("triangle", degree);
        check<3>("tetrahedron", degree);
      }
    for (int degree = 1; degree <= 3; ++degree)
      check<3>("hexahedron", degree);
  }
} // namespace
