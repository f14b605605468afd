#include <tessera/assembly/boundary_terms.h>
#include <tessera/base/error.h>
#include <tessera/space/local_entry.h>

#include "boundary.h"
#include "operators/cases.h"

// Tests loads and matrices of faces against the oracle's quadrature.
namespace tessera
{
  using namespace test;

  template <class Number>
  void
  check_load(const std::shared_ptr<const Space> &space, const BoundaryCase &c,
             const Backend backend, const Way &way)
  {
    const CellData<Number> cells(space, backend);
    std::vector<double> reference(space->n_local(), 0.), scale = reference;
    BoundaryOracle(*space, c.faces).add_load(reference, scale);
    auto before = random_values<Number>(space->n_local(), 4);
    for (int i = 0; i < space->n_local(); ++i)
      {
        before[i] = static_cast<Number>(before[i] * scale[i]);
        reference[i] += before[i];
        scale[i] += std::abs(double(before[i]));
      }
    reference.resize(space->n_owned);
    std::vector<Number> first;
    for (int run = 0; run < 2; ++run)
      {
        Vector<Number> b = cells.make_vector();
        b.copy_from(before);
        add_boundary_load(b, cells, c.faces, way.conflict, way.route);
        const auto sum = owned_values(b);
        EXPECT_LT(rounding_units(sum, reference, scale), rounding_limit)
          << to_string(backend) << " " << to_string(way);
        if (run == 0)
          first = sum;
        if (way.repeats())
          {
            EXPECT_EQ(sum, first);
          }
      }
  }

  TEST(BoundaryLoad, IsThatOfTheOracle)
  {
    for (const BoundaryCase &c : boundary_cases())
      {
        SCOPED_TRACE(c.name);
        const auto space = std::make_shared<const Space>(build_space(c.mesh));
        for (const Backend backend : backends())
          for (const Way &way : ways(backend))
            {
              check_load<double>(space, c, backend, way);
              check_load<float>(space, c, backend, way);
            }
      }
  }

  /// Returns what is constrained if n components of nodes are.
  std::vector<char>
  given_nodes(const Connectivity &mesh, const int n)
  {
    std::vector<char> result;
    for (const char flag : mesh.constrained)
      result.insert(result.end(), n, flag);
    return result;
  }

  // A load of several components equals the loads of single components.
  TEST(BoundaryLoad, OfComponents)
  {
    for (const BoundaryCase &c : boundary_cases())
      {
        SCOPED_TRACE(c.name);
        const int n                = c.mesh.dim();
        Connectivity of_components = c.mesh;
        of_components.n_components = n;
        of_components.constrained  = given_nodes(c.mesh, n);
        BoundaryFaces faces = c.faces, single = c.faces;
        faces.n_components = n;
        faces.load         = random_values<double>(c.faces.load.size() * n, 7);
        const auto space =
          std::make_shared<const Space>(build_space(of_components));
        const auto scalar = std::make_shared<const Space>(build_space(c.mesh));
        for (const Backend backend : backends())
          for (const Route route : {Route::scatter, Route::gather})
            {
              const CellData<double> cells(space, backend),
                scalar_cells(scalar, backend);
              Vector<double> b = cells.make_vector();
              add_boundary_load(b, cells, faces, Conflict::coloring, route);
              const auto found = b.to_vector();
              for (int k = 0; k < n; ++k)
                {
                  for (std::size_t i = 0; i < single.load.size(); ++i)
                    single.load[i] = faces.load[i * n + k];
                  Vector<double> alone = scalar_cells.make_vector();
                  add_boundary_load(alone, scalar_cells, single,
                                    Conflict::coloring, route);
                  const auto expected = alone.to_vector();
                  for (int i = 0; i < scalar->n_local(); ++i)
                    EXPECT_EQ(found[i * n + k], expected[i]);
                  // Faces that fill up a block add nothing on the device.
                  if (backend == Backend::cuda)
                    {
                      EXPECT_EQ(expected[scalar->padding_index()], 0);
                    }
                }
              EXPECT_THROW(
                add_boundary_load(b, cells, single, Conflict::coloring),
                std::length_error);
            }
      }
  }

  template <class Number>
  void
  check_matrices(const Space &space, const BoundaryCase &c,
                 const Backend backend)
  {
    const BoundaryOracle oracle(space, c.faces);
    const BoundaryMatrices<Number> matrices(space, c.faces, backend);
    const Space &faces      = matrices.faces().space();
    const auto values       = matrices.values().to_vector();
    const std::size_t lanes = matrices.faces().lanes();
    const int n             = faces.dofs_per_cell() * c.faces.n_components;
    const int m             = n_local_entries(true, n);
    std::vector<Number> found;
    std::vector<double> expected, scale;
    for (int f = 0; f < faces.n_cells(); ++f)
      for (int i = 0; i < n; ++i)
        for (int j = i; j < n; ++j)
          {
            found.push_back(
              values[(f / lanes * m + local_entry(true, n, i, j)) * lanes +
                     f % lanes]);
            const auto [entry, size] = oracle.entry(faces.mesh_cell[f], i, j);
            expected.push_back(entry);
            scale.push_back(size);
          }
    EXPECT_LT(rounding_units(found, expected, scale), rounding_limit)
      << to_string(backend);
  }

  TEST(BoundaryMatrices, AreThoseOfTheOracle)
  {
    for (const BoundaryCase &c : boundary_cases())
      {
        SCOPED_TRACE(c.name);
        const Space space = build_space(c.mesh);
        for (const Backend backend : backends())
          {
            check_matrices<double>(space, c, backend);
            check_matrices<float>(space, c, backend);
          }
      }
  }

  TEST(BoundaryMatrices, OfComponents)
  {
    for (const BoundaryCase &scalar : boundary_cases())
      {
        SCOPED_TRACE(scalar.name);
        BoundaryCase c      = scalar;
        const int count     = c.faces.n_faces();
        c.mesh.n_components = c.mesh.dim();
        c.mesh.constrained  = given_nodes(scalar.mesh, c.mesh.dim());
        c.faces             = some_faces(c.mesh, count);
        const Space space   = build_space(c.mesh);
        for (const Backend backend : backends())
          {
            check_matrices<double>(space, c, backend);
            check_matrices<float>(space, c, backend);
          }
      }
  }

  TEST(BoundaryTerms, NoFacesAddNothing)
  {
    const auto space = std::make_shared<const Space>(
      build_space(generated_mesh(CellType::tetrahedron, 2, 2, 2, 2)));
    for (const Backend backend : backends())
      for (const Conflict conflict : conflicts(backend))
        {
          const CellData<double> cells(space, backend);
          Vector<double> b = cells.make_vector(), x = cells.make_vector();
          x.copy_from(random_values<double>(x.size()));
          add_boundary_load(b, cells, BoundaryFaces(), conflict);
          add_boundary_load(b, cells, BoundaryFaces(), conflict, Route::gather);
          const BoundaryMatrices<double> none(*space, BoundaryFaces(), backend);
          none.apply_add(b, x, 1., conflict);
          none.add_diagonal(b, conflict);
          EXPECT_EQ(b.to_vector(), std::vector<double>(b.size(), 0.));
          EXPECT_EQ(none.compulsory_bytes(), 0u);
        }
  }

  TEST(BoundaryTerms, SharedEntriesOnTheDeviceNeedConflictHandling)
  {
    const BoundaryCase c = boundary_cases().front();
    const auto space     = std::make_shared<const Space>(build_space(c.mesh));
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        {
          const CellData<double> cells(space, backend);
          Vector<double> b = cells.make_vector();
          EXPECT_THROW(add_boundary_load(b, cells, c.faces, Conflict::none),
                       ParameterError);
          const BoundaryMatrices<double> matrices(*space, c.faces, backend);
          EXPECT_THROW(matrices.add_diagonal(b, Conflict::none),
                       ParameterError);
        }
  }
} // namespace tessera
