#include <tessera/fem/bridge/mesh_arrays.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/forms/elasticity.h>
#include <tessera/operators/descriptor.h>
#include <tessera/program/memory_estimate.h>

#include <deal.II/dofs/dof_handler.h>

#include <deal.II/fe/fe_q.h>

#include <deal.II/grid/grid_generator.h>
#include <deal.II/grid/tria.h>

#include <gtest/gtest.h>

#include <cmath>

#include "multigrid_problem.h"

namespace
{
  using namespace tessera;
  using test::expect_within;
  using test::membrane;

  /// Returns the estimate over what multigrid says that it stores.
  double
  ratio(const test::MultigridProblem &problem, const Connectivity &mesh,
        const Coarsening coarsening = Coarsening::degree_first)
  {
    const auto levels =
      make_levels(problem.matrix, *problem.space, coarsening, {});
    const auto values = Multigrid<double>(*problem.A, levels).parameters();
    program::CaseSize size;
    size.cell_type      = mesh.cell_type;
    size.degree         = mesh.degree;
    size.n_components   = mesh.n_components;
    size.n_cells        = mesh.n_cells();
    size.operator_name  = "csr";
    size.preconditioner = "multigrid";
    if (coarsening == Coarsening::aggregation)
      size.preconditioner_options = {{"Coarsening", "aggregation"}};
    return program::MemoryEstimate(size).preconditioner /
           std::get<std::int64_t>(values.at("multigrid_bytes"));
  }

  TEST(MemoryEstimate, OfLevelsIsWithinAFactorOfTwo)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2, 3})
        {
          if (degree > max_degree(type))
            continue;
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const int n             = (dimension(type) == 3 ? 36 : 240) / degree;
          const Connectivity mesh = membrane(type, degree, n);
          const test::MultigridProblem problem(mesh);
          expect_within(2, ratio(problem, mesh));
          if (degree == 2)
            expect_within(2, ratio(problem, mesh, Coarsening::aggregation));
        }
  }

  TEST(MemoryEstimate, OfLevelsOfElasticBodies)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const int dim = dimension(type);
          Connectivity mesh =
            membrane(type, degree, (dim == 3 ? 30 : 120) / degree);
          mesh.n_components = dim;
          std::vector<unsigned char> held;
          for (const auto is_held : mesh.constrained)
            held.insert(held.end(), dim, is_held);
          mesh.constrained.assign(held.begin(), held.end());
          expect_within(2, ratio(test::MultigridProblem(mesh), mesh));
        }
  }

  TEST(MemoryEstimate, OfCellsAndOperators)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const Connectivity mesh =
            membrane(type, degree, (dimension(type) == 3 ? 20 : 96) / degree);
          const auto space = std::make_shared<const Space>(build_space(mesh));
          const auto cells =
            std::make_shared<const CellData<double>>(space, Backend::host);
          Coefficient varying;
          varying.kind         = Coefficient::Kind::per_quadrature_point;
          varying.n_components = 1;
          varying.values.assign(mesh.n_cells() * n_points(type, degree), 2.);
          const CoefficientData<double> numbers(varying, *cells);

          program::CaseSize size;
          size.cell_type = type;
          size.degree    = degree;
          size.n_cells   = mesh.n_cells();
          size.n_varying = 1;
          const program::MemoryEstimate estimate(size);
          // The last block of cells is filled up.
          expect_within(1.1,
                        estimate.cells / (cells->bytes() + numbers.bytes()));
          EXPECT_NEAR(estimate.vectors, 7 * 8. * space->n_owned,
                      0.3 * estimate.vectors);
          // Mesh and space have these arrays, too.
          expect_within(
            2, estimate.arrays /
                 (8. * (mesh.cell_dofs.size() + mesh.cell_vertices.size()) +
                  16. * mesh.vertices.size() + 8. * varying.values.size() +
                  34. * space->n_owned));
          const double n = n_nodes(type, degree);
          for (const std::string name : {"csr", "ell", "coo", "local_matrices",
                                         "local_matrices_symmetric"})
            {
              SCOPED_TRACE(name);
              size.operator_name = name;
              const auto A       = make_operator<double>(
                name, cells, laplace(Coefficient::scalar(1.)));
              // While rows are assembled, cells have a slot of 16 bits for each
              // entry. What operators of cells store counts indices, too.
              const double slots = descriptor(name).has_pattern()
                                     ? 2 * n * n * mesh.n_cells()
                                     : 0.;
              expect_within(3, (program::MemoryEstimate(size).matrix - slots) /
                                 static_cast<double>(A->traffic().stored));
            }
        }
  }

  /// Vertices have coordinates on a device, cells on the host; Jacobians are in
  /// the place of either.
  TEST(MemoryEstimate, OfACellOnEitherBackend)
  {
    const auto bytes = [](const Backend backend, const int degree,
                          const Geometry geometry) {
      program::CaseSize size;
      size.backend  = backend;
      size.degree   = degree;
      size.geometry = geometry;
      size.n_cells  = 1;
      return program::MemoryEstimate(size).cells;
    };
    EXPECT_EQ(bytes(Backend::host, 1, Geometry::vertices), 4 * 4 + 4 * 16);
    EXPECT_EQ(bytes(Backend::cuda, 1, Geometry::vertices), 4 * 4 + 16);
    EXPECT_EQ(bytes(Backend::host, 2, Geometry::vertices), 4 * 9 + 4 * 16);
    EXPECT_EQ(bytes(Backend::cuda, 2, Geometry::vertices), 4 * 9 + 4 * 4 + 16);
    for (const Backend backend : {Backend::host, Backend::cuda})
      {
        EXPECT_EQ(bytes(backend, 2, Geometry::affine), 4 * 9 + 4 * 8);
        EXPECT_EQ(bytes(backend, 2, Geometry::quadrature), 4 * 9 + 9 * 4 * 8);
      }
  }

  template <int dim>
  void
  compare_mesh(const int degree, const int n_refinements)
  {
    dealii::Triangulation<dim> triangulation;
    dealii::GridGenerator::hyper_cube(triangulation);
    triangulation.refine_global(n_refinements);
    dealii::DoFHandler<dim> dof_handler(triangulation);
    dof_handler.distribute_dofs(dealii::FE_Q<dim>(degree));
    program::CaseSize size;
    size.cell_type = dim == 2 ? CellType::quadrilateral : CellType::hexahedron;
    size.degree    = degree;
    size.n_cells   = triangulation.n_active_cells();
    size.library   = bytes_of_deal_ii(size.cell_type);
    expect_within(2, program::MemoryEstimate(size).mesh /
                       static_cast<double>(triangulation.memory_consumption() +
                                           dof_handler.memory_consumption()));
  }

  TEST(MemoryEstimate, OfMeshes)
  {
    for (const int degree : {1, 2, 4})
      {
        compare_mesh<2>(degree, 7);
        compare_mesh<3>(degree, 4);
      }
  }

  template <int dim>
  void
  compare_arrays(const CellType type, const int degree, const int n_refinements)
  {
    SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
    dealii::Triangulation<dim> triangulation;
    if (is_simplex(type))
      dealii::GridGenerator::subdivided_hyper_cube_with_simplices(triangulation,
                                                                  1);
    else
      dealii::GridGenerator::hyper_cube(triangulation);
    MeshArrays mesh = mesh_arrays(triangulation);
    for (int k = 0; k < n_refinements; ++k)
      mesh = refine(mesh);
    const ElementNodes nodes = number(mesh, degree);
    program::CaseSize size;
    size.cell_type            = type;
    size.degree               = degree;
    size.n_cells              = mesh.n_cells();
    size.library              = bytes_of_deal_ii(type);
    size.has_arrays           = true;
    const double triangulated = program::MemoryEstimate(size).mesh;
    size.library_mesh         = program::LibraryMesh::cells;
    const double unnumbered   = program::MemoryEstimate(size).mesh;
    size.library_mesh         = program::LibraryMesh::none;
    const double arrays_alone = program::MemoryEstimate(size).mesh;
    expect_within(1.3,
                  arrays_alone /
                    (4. * mesh.corners.size() + 8. * mesh.vertices.size() +
                     4. * mesh.materials.size() + 8. * mesh.numbers.size() +
                     12. * mesh.boundary.size() + 4. * nodes.of_cells.size() +
                     4. * nodes.of_faces.size()));
    EXPECT_LT(3 * arrays_alone, unnumbered);
    EXPECT_LT(unnumbered, triangulated);
  }

  TEST(MemoryEstimate, OfMeshesAsArrays)
  {
    for (const int degree : {1, 2})
      {
        compare_arrays<2>(CellType::quadrilateral, degree, 8);
        compare_arrays<2>(CellType::triangle, degree, 7);
        compare_arrays<3>(CellType::hexahedron, degree, 5);
        compare_arrays<3>(CellType::tetrahedron, degree, 5);
      }
  }

  /// Levels are made where they are used, unless ML makes them.
  TEST(MemoryEstimate, CountsLevelsWhereTheyAreMade)
  {
    program::CaseSize size;
    size.n_cells        = 1e6;
    size.operator_name  = "csr";
    size.preconditioner = "multigrid";
    size.backend        = Backend::cuda;
    const program::MemoryEstimate on_device(size);
    EXPECT_GT(on_device.making, 0);
    EXPECT_EQ(on_device.on_host(), on_device.mesh + on_device.arrays);
    EXPECT_EQ(on_device.on_device(),
              on_device.on_backend() + on_device.entities + on_device.making);
    size.preconditioner_options = {{"Aggregates", "ml"}};
    const program::MemoryEstimate by_ml(size);
    EXPECT_EQ(by_ml.making, on_device.making);
    EXPECT_EQ(by_ml.on_host(), by_ml.mesh + by_ml.arrays + by_ml.making);
    EXPECT_EQ(by_ml.on_device(), by_ml.on_backend() + by_ml.entities);
    size.backend = Backend::host;
    const program::MemoryEstimate on_host(size);
    EXPECT_EQ(on_host.on_device(), 0);
    EXPECT_EQ(on_host.on_host(), on_host.mesh + on_host.arrays +
                                   on_host.making + on_host.on_backend());
  }

  TEST(MemoryEstimate, CountsWhatPreconditionersStore)
  {
    program::CaseSize size;
    size.n_cells       = 1e6;
    size.operator_name = "csr";
    const auto bytes   = [&](const std::string &name) {
      size.preconditioner = name;
      return program::MemoryEstimate(size).preconditioner;
    };
    EXPECT_EQ(bytes("jacobi"), 8e6);
    EXPECT_EQ(bytes("chebyshev"), 24e6);
    EXPECT_EQ(bytes("block_jacobi"), 8e6);
    size.preconditioner_options = {{"Block rows", "5"}};
    EXPECT_EQ(bytes("block_jacobi"), 40e6);
    size.preconditioner_options.clear();
    const double in_double = bytes("multigrid");
    size.inner_operator    = "csr";
    // The operator in float and the levels, which have a number less.
    EXPECT_GT(bytes("multigrid"), 9 * 8e6 + in_double / 2);
    EXPECT_LT(bytes("multigrid"), 9 * 8e6 + in_double);
    // Making levels needs two copies of the matrix and the levels, and rows
    // where none are stored.
    const double with_rows = program::MemoryEstimate(size).making;
    EXPECT_GT(with_rows, 2 * 12 * 9e6);
    EXPECT_LT(with_rows, 4 * 12 * 9e6);
    size.operator_name = "matrix_free";
    EXPECT_NEAR(program::MemoryEstimate(size).making, with_rows + 12 * 9e6, 1);
  }

  TEST(MemoryEstimate, CountsTheStatesOfAnApplication)
  {
    program::CaseSize size;
    size.n_cells         = 1e6;
    const double without = program::MemoryEstimate(size).on_backend();
    size.state_bytes     = 152;
    EXPECT_EQ(program::MemoryEstimate(size).states, 152e6);
    EXPECT_EQ(program::MemoryEstimate(size).on_backend(), without + 152e6);
  }

  TEST(MultigridSavings, CountMoreIterationsOnADevice)
  {
    const auto &of = preconditioner_descriptor("multigrid").savings;
    EXPECT_EQ(of({Backend::host, CellType::hexahedron, 2}).iterations, 400);
    EXPECT_EQ(of({Backend::cuda, CellType::hexahedron, 1}).iterations, 2000);
    EXPECT_EQ(of({Backend::cuda, CellType::quadrilateral, 4, 2}).iterations,
              2000 * 2 * 2 * 2);
    EXPECT_EQ(of({Backend::cuda, CellType::hexahedron, 1}).least_rows, 100000);
  }
} // namespace
