#include <tessera/assembly/load_vector.h>
#include <tessera/forms/elasticity.h>
#include <tessera/operators/assembler.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/lift.h>

#include "../boundary.h"
#include "../exchange.h"
#include "../form_oracle.h"
#include "../operators/cases.h"
#include "linked.h"

// Nodes of which only some components are given: products are
// M A M x + (1 - M) x, where M is 0 at given components and 1 elsewhere.
namespace tessera
{
  using namespace test;

  namespace
  {
    constexpr double young = 2, poisson = 0.3;

    /// The mesh with dim components a node: all of a constrained node are
    /// constrained, and every third component of other nodes, also in the
    /// interior; one node loses all of them.
    Connectivity
    with_given_components(Connectivity mesh)
    {
      const int n       = mesh.dim();
      const auto nodes  = mesh.constrained;
      mesh.n_components = n;
      mesh.constrained.assign(nodes.size() * n, 0);
      for (std::size_t i = 0; i < mesh.constrained.size(); ++i)
        mesh.constrained[i] =
          nodes[i / n] || (i * 7 / 3) % 5 == 0 || i / n == nodes.size() / 2;
      return mesh;
    }

    struct Problem
    {
      Connectivity mesh;
      std::shared_ptr<const Space> space;
      int n;
      BoundaryFaces faces;
      BoundaryOracle of_faces;
      FormOracle oracle;
      Form form;

      explicit Problem(const Case &c)
        : mesh(with_given_components(c.mesh)),
          space(std::make_shared<const Space>(
            build_space(mesh, c.numbering, c.cell_order))),
          n(space->dim()), faces(some_faces(mesh, 33)), of_faces(*space, faces),
          oracle(*space, n, Coefficient::scalar(1),
                 [dim = n](const PointAt &, const auto &u, const auto &v) {
                   return elastic_energy(dim, young, poisson, u, v);
                 }),
          form(elasticity(isotropic_stiffness(n, young, poisson)))
      {}

      std::shared_ptr<const BoundaryMatrices<double>>
      boundary(const Backend backend) const
      {
        return std::make_shared<const BoundaryMatrices<double>>(*space, faces,
                                                                backend);
      }

      /// y = A x, for cells and faces.
      void
      product_of_all(const std::vector<double> &x, std::vector<double> &y,
                     std::vector<double> &scale) const
      {
        oracle.vmult(x, y, scale);
        const std::size_t n_rows = y.size();
        y.resize(std::size_t(space->n_local()) * n, 0.);
        scale.resize(y.size(), 0.);
        of_faces.add_product(1, x, y, scale);
        y.resize(n_rows);
        scale.resize(n_rows);
      }

      /// y = M A M x + (1 - M) x.
      void
      product(std::vector<double> x, std::vector<double> &y,
              std::vector<double> &scale) const
      {
        const std::vector<double> all = x;
        for (const int i : space->fixed)
          x[i] = 0;
        x.resize(std::size_t(space->n_local()) * n, 0.);
        product_of_all(x, y, scale);
        for (const int i : space->fixed)
          {
            y[i]     = all[i];
            scale[i] = std::abs(all[i]);
          }
      }
    };

    /// Returns the faces of the cells of a part.
    BoundaryFaces
    faces_of_part(const BoundaryFaces &all, const std::vector<int> &part,
                  const int which)
    {
      BoundaryFaces faces = all;
      faces.dofs.clear();
      faces.load.clear();
      faces.mass.clear();
      const std::size_t n      = all.dofs.size() / all.n_faces();
      const std::size_t n_mass = all.mass.size() / all.n_faces();
      for (int f = 0; f < all.n_faces(); ++f)
        if (part[all.boundary_ids[f]] == which)
          {
            const auto copy = [f](const auto &from, auto &to, const auto size) {
              to.insert(to.end(), from.begin() + f * size,
                        from.begin() + (f + 1) * size);
            };
            copy(all.dofs, faces.dofs, n);
            copy(all.mass, faces.mass, n_mass);
          }
      return faces;
    }

    /// Calls `work` with a problem for the cases of every cell type.
    template <class Work>
    void
    for_each_problem(const Work &work)
    {
      for (const CellType type : cell_types)
        for (int degree = 1; degree <= 2; ++degree)
          for (const Case &c : cases(type, degree))
            {
              if (c.mesh.n_cells() * c.mesh.dofs_per_cell() > 400)
                continue;
              SCOPED_TRACE(to_string(type) + ", " + c.name + ", degree " +
                           std::to_string(degree));
              work(Problem(c));
            }
    }
  } // namespace

  TEST(Components, GivenOnesAreMasked)
  {
    int turn = 0;
    for_each_problem([&](const Problem &problem) {
      const Space &space = *problem.space;
      ASSERT_FALSE(space.fixed.empty());
      ASSERT_GT(space.n_constrained, 0);
      const auto x =
        random_values<double>(std::size_t(space.n_owned) * problem.n, 3);
      std::vector<double> y, scale;
      problem.product(x, y, scale);
      for (const Backend backend : backends())
        {
          const auto cells =
            std::make_shared<const CellData<double>>(problem.space, backend);
          for (const std::string &name : operator_names())
            {
              if (left_out(++turn, 4) ||
                  (name == "local_matrices_zero_sums" &&
                   !problem.form.compiled->ignores_constants))
                continue;
              AssemblyOptions options;
              if (descriptor(name).has_pattern() &&
                  n_watched_turns(turn, 4) % 2 == 0)
                options.route = Route::gather;
              SCOPED_TRACE(name + ", " + to_string(backend) +
                           (options.route ? ", gather" : ""));
              const auto A =
                make_operator<double>(name, cells, problem.form, options, {},
                                      problem.boundary(backend));
              const auto from = make_vector(*A, x);
              auto to         = random_vector(*A, 5);
              A->vmult(to, from);
              EXPECT_LT(rounding_units(owned_values(to), y, scale),
                        rounding_limit);
              EXPECT_EQ(owned_values(from), x);

              A->vmult(to, from, Epilogue<double>::add());
              std::vector<double> twice = y, twice_scale = scale;
              Array<double> result(backend, 1);
              double sum = 0, size = 0;
              for (std::size_t i = 0; i < y.size(); ++i)
                {
                  twice[i] *= 2;
                  twice_scale[i] *= 2;
                  sum += x[i] * y[i];
                  size += std::abs(x[i]) * scale[i];
                }
              EXPECT_LT(rounding_units(owned_values(to), twice, twice_scale),
                        rounding_limit);
              A->vmult(to, from, Epilogue<double>::dot(result.data()));
              EXPECT_LT(rounding_units(result.to_vector(), {sum}, {size}),
                        rounding_limit);

              std::vector<double> diagonal, diagonal_scale;
              problem.oracle.vmult({}, diagonal, diagonal_scale);
              problem.of_faces.for_each_entry(
                [&](const int row, const int column, const double m) {
                  if (row == column && row < space.n_owned * problem.n)
                    {
                      diagonal[row] += m;
                      diagonal_scale[row] += std::abs(m);
                    }
                });
              for (const int i : space.fixed)
                diagonal[i] = diagonal_scale[i] = 1;
              A->diagonal(to);
              EXPECT_LT(
                rounding_units(owned_values(to), diagonal, diagonal_scale),
                rounding_limit);
            }
        }
    });
  }

  // Parts of a mesh together give the product of the whole.
  TEST(Components, OnParts)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::tetrahedron})
      {
        const Connectivity mesh =
          with_given_components(generated_mesh(type, 1, 5, 4, 2));
        const Problem whole({"", generated_mesh(type, 1, 5, 4, 2)});
        const int n  = whole.n;
        const auto x = random_values<double>(std::size_t(mesh.n_dofs) * n, 3);
        std::vector<int> part(mesh.n_cells());
        for (std::size_t c = 0; c < part.size(); ++c)
          part[c] = int(c / 5 * 7 + c % 2) % 2;
        const auto restricted = [&](const Space &space) {
          std::vector<double> local(std::size_t(space.n_local()) * n, 0.);
          for (int i = 0; i < space.n_owned * n; ++i)
            local[i] = x[space.mesh_dof[i / n] * n + i % n];
          return local;
        };
        std::vector<double> of_space = restricted(*whole.space), y, scale;
        of_space.resize(std::size_t(whole.space->n_owned) * n);
        whole.product(of_space, y, scale);
        std::vector<double> expected(x.size(), 0.), size(x.size(), 0.);
        for (std::size_t i = 0; i < y.size(); ++i)
          {
            const std::size_t at = whole.space->mesh_dof[i / n] * n + i % n;
            expected[at]         = y[i];
            size[at]             = scale[i];
          }
        const std::vector<Part> parts = partition(mesh, part, 2);
        for (const Backend backend : backends())
          for (const std::string name :
               linked({"matrix_free", "matrix_free_local", "local_matrices",
                       "csr", "coo", "lazy_ell", "lazy_ell_consolidated"}))
            {
              SCOPED_TRACE(to_string(type) + ", " + name + ", " +
                           to_string(backend));
              LockStepTail<double>::Mail mail;
              mail.exported.resize(2);
              for (const Part &each : parts)
                mail.to_import.push_back(restricted(each.space));
              std::vector<Vector<double>> products;
              for (int p = 0; p < 2; ++p)
                {
                  const auto A = make_operator<double>(
                    name,
                    std::make_shared<const CellData<double>>(
                      std::make_shared<const Space>(parts[p].space), backend),
                    whole.form, {},
                    Parts<double>(
                      std::make_shared<const Communicator>(),
                      std::make_shared<LockStepTail<double>>(parts, p, mail)),
                    std::make_shared<const BoundaryMatrices<double>>(
                      parts[p].space, faces_of_part(whole.faces, part, p),
                      backend));
                  auto from = A->make_vector();
                  from.copy_from(mail.to_import[p]);
                  products.push_back(random_vector(*A, 5));
                  A->vmult(products[p], from);
                }
              for (int p = 0; p < 2; ++p)
                {
                  add_ghosts(parts, p, products[p], mail.exported);
                  const Space &space = parts[p].space;
                  std::vector<double> mine, mine_size;
                  for (int i = 0; i < space.n_owned * n; ++i)
                    {
                      const std::size_t at = space.mesh_dof[i / n] * n + i % n;
                      mine.push_back(expected[at]);
                      mine_size.push_back(size[at]);
                    }
                  EXPECT_LT(
                    rounding_units(owned_values(products[p]), mine, mine_size),
                    rounding_limit)
                    << "part " << p;
                }
            }
      }
  }

  TEST(Components, LoadsAndGivenValues)
  {
    for_each_problem([&](const Problem &problem) {
      const Space &space          = *problem.space;
      const int n                 = problem.n;
      const std::size_t n_entries = std::size_t(space.n_local()) * n;
      const Coefficient source    = {
           Coefficient::Kind::per_quadrature_point, n,
           random_values<double>(
          std::size_t(space.n_cells()) * space.points_per_cell() * n, 9)};
      std::vector<double> g(n_entries, 0.);
      const auto random = random_values<double>(n_entries, 4);
      for (const int i : space.fixed)
        g[i] = random[i];
      for (int i = space.n_stored() * n; i < space.padding_index() * n; ++i)
        g[i] = random[i];
      std::vector<double> b, scale;
      problem.product_of_all(g, b, scale);
      for (double &entry : b)
        entry = -entry;
      for (int cell = 0; cell < space.n_cells(); ++cell)
        problem.oracle.for_each_point(
          cell, [&](const PointAt &point, const double jxw,
                    const std::vector<FunctionAt> &shape) {
            for (std::size_t i = 0; i < shape.size(); ++i)
              {
                const std::size_t to = problem.oracle.index(cell, int(i));
                const std::size_t at =
                  (std::size_t(cell) * space.points_per_cell() + point.q) * n +
                  i % n;
                const double value =
                  jxw * source.values[at] * shape[i].value[i % n];
                if (to < b.size())
                  {
                    b[to] += value;
                    scale[to] += std::abs(value);
                  }
              }
          });
      for (const int i : space.fixed)
        b[i] = 0;
      for (const Backend backend : backends())
        for (const Route route : {Route::scatter, Route::gather})
          {
            SCOPED_TRACE(to_string(backend) + ", " + to_string(route));
            const auto cells =
              std::make_shared<const CellData<double>>(problem.space, backend);
            auto load = cells->make_vector(), given = cells->make_vector();
            given.copy_from(g);
            add_load_vector(load, *cells, source, default_conflict(backend),
                            route);
            lift(load, given, cells, problem.form,
                 problem.boundary(backend).get());
            EXPECT_LT(rounding_units(owned_values(load), b, scale),
                      rounding_limit);
          }
    });
  }

  TEST(Components, WhatDoesNotFitIsRefused)
  {
    Connectivity mesh = with_given_components(generated_mesh(1, 3, 3));
    const auto cells  = std::make_shared<const CellData<double>>(
      std::make_shared<const Space>(build_space(mesh)), Backend::host);
    EXPECT_THROW(
      make_operator<double>("csr", cells, laplace(Coefficient::scalar(1))),
      ParameterError);
    EXPECT_THROW(Assembler<double>("csr", cells), ParameterError);
    BoundaryFaces faces = some_faces(mesh, 5);
    faces.n_components  = 1;
    faces.mass.resize(faces.mass.size() / 3);
    const auto scalar = std::make_shared<const BoundaryMatrices<double>>(
      cells->space(), faces, Backend::host);
    for (const std::string name : {"csr", "matrix_free"})
      EXPECT_THROW(make_operator<double>(
                     name, cells,
                     elasticity(isotropic_stiffness(2, young, poisson)), {}, {},
                     scalar),
                   ParameterError);
    auto b = cells->make_vector();
    EXPECT_THROW(
      add_load_vector(b, *cells, Coefficient::scalar(1), Conflict::coloring),
      std::length_error);
    mesh.n_components = 4;
    EXPECT_THROW(build_space(mesh), MeshError);
    mesh.n_components = 1;
    EXPECT_THROW(build_space(mesh), MeshError);
  }
} // namespace tessera
