#include <tessera/assembly/load_vector.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/elimination.h>
#include <tessera/solvers/problem.h>

#include "boundary.h"
#include "operators/cases.h"

// Compares rows and columns that are zeroed after assembly with degrees of
// freedom that were never assembled.
namespace tessera
{
  using namespace test;

  /// A matrix of rows in which all degrees of freedom are free, with flags and
  /// values for every row.
  template <class Number>
  struct Assembled
  {
    std::shared_ptr<const Space> space;
    std::unique_ptr<Operator<Number>> A;
    Array<unsigned char> constrained;
    std::vector<unsigned char> flags;
    Vector<Number> g, b;

    Assembled(const BoundaryCase &c, const Backend backend,
              const std::string &name)
    {
      Connectivity free = c.mesh;
      std::fill(free.constrained.begin(), free.constrained.end(), 0);
      space = std::make_shared<const Space>(build_space(free));
      AssemblyOptions options;
      options.conflict = Conflict::coloring;
      A                = Problem<Number>(space, backend, {}, options, c.faces)
            .make_operator(name, laplace(anisotropic(space->dim())));
      for (int i = 0; i < space->n_owned; ++i)
        flags.push_back(c.mesh.constrained[space->mesh_dof[i]]);
      constrained = Array<unsigned char>(backend, flags);
      g           = A->make_vector();
      b           = A->make_vector();
      g.copy_from(by_mesh(7));
      b.copy_from(by_mesh(8));
    }

    /// Returns random values, which are the same in every space for a degree of
    /// freedom of the mesh.
    std::vector<Number>
    by_mesh(const unsigned int seed) const
    {
      return in_order(*space, seed);
    }

    static std::vector<Number>
    in_order(const Space &space, const unsigned int seed)
    {
      const auto of_mesh = random_values<Number>(space.mesh_dof.size(), seed);
      std::vector<Number> values(space.n_local(), Number(0));
      for (std::size_t i = 0; i < space.mesh_dof.size(); ++i)
        values[i] = of_mesh[space.mesh_dof[i]];
      return values;
    }

    RowMatrix<Number> &
    matrix()
    {
      return dynamic_cast<RowOperator<Number> &>(*A).matrix();
    }

    void
    eliminate()
    {
      zero_rows_and_columns(matrix(), constrained, g, b);
      dynamic_cast<RowOperator<Number> &>(*A).values_changed();
    }
  };

  std::vector<BoundaryCase>
  small_cases()
  {
    std::vector<BoundaryCase> cases;
    for (const BoundaryCase &c : boundary_cases())
      if (c.faces.n_faces() == 31 || c.faces.n_faces() == 24)
        if (n_nodes(c.mesh.cell_type, c.mesh.degree) <= 27)
          cases.push_back(c);
    return cases;
  }

  template <class Number>
  void
  check_entries(const BoundaryCase &c, const Backend backend,
                const std::string &name)
  {
    Assembled<Number> system(c, backend, name);
    const int n                   = system.space->n_owned;
    const SparsityPattern pattern = make_sparsity_pattern(*system.space);
    const DenseMatrix before(*system.A);
    const auto g = system.g.to_vector(), b = system.b.to_vector();
    system.eliminate();
    const DenseMatrix after(*system.A);
    std::vector<double> expected(n), scale(n);
    int n_constrained = 0;
    for (int i = 0; i < n; ++i)
      {
        const bool fixed = system.flags[i] != 0;
        n_constrained += fixed;
        double diagonal = 0;
        for (auto k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
          {
            const int j     = pattern.columns[k];
            const bool kept = i == j || (!fixed && system.flags[j] == 0);
            EXPECT_EQ(after(i, j), kept ? before(i, j) : 0.);
            if (i == j)
              diagonal = before(i, j);
            if (!fixed && system.flags[j] != 0)
              {
                const double term = before(i, j) * g[j];
                expected[i] -= term;
                scale[i] += std::abs(term);
              }
          }
        expected[i] = fixed ? diagonal * g[i] : expected[i] + b[i];
        scale[i] += std::abs(fixed ? expected[i] : double(b[i]));
      }
    EXPECT_GT(n_constrained, 0);
    EXPECT_LT(n_constrained, n);
    EXPECT_LT(rounding_units(owned_values(system.b), expected, scale),
              rounding_limit);

    // A second run must give the same bits.
    Assembled<Number> second_system(c, backend, name);
    second_system.eliminate();
    EXPECT_EQ(owned_values(second_system.b), owned_values(system.b));
    EXPECT_EQ(second_system.matrix().values().to_vector(),
              system.matrix().values().to_vector());
  }

  TEST(Elimination, ZeroesRowsAndColumnsAndLiftsValues)
  {
    // Under sanitizers every name has its turn on either backend in each third
    // case, and in each fifth in float.
    int first = 0;
    for (const BoundaryCase &c : small_cases())
      for (const Backend backend : backends())
        {
          int turn = first++;
          for (const std::string &name : row_operator_names())
            {
              SCOPED_TRACE(c.name + ", " + to_string(backend) + ", " + name);
              if (!is_watched() || in_turn(turn, 3))
                check_entries<double>(c, backend, name);
              if (!is_watched() || in_turn(turn, 5))
                check_entries<float>(c, backend, name);
              ++turn;
            }
        }
  }

  /// Returns x by degree of freedom of the mesh; eliminates before assembly.
  std::vector<double>
  solve_before(const BoundaryCase &c, const Backend backend)
  {
    const auto space = std::make_shared<const Space>(build_space(c.mesh));
    const Problem<double> problem(space, backend, {}, {}, c.faces);
    const Form form  = laplace(anisotropic(space->dim()));
    const auto A     = problem.make_operator("csr", form);
    Vector<double> b = A->make_vector(), g = A->make_vector();
    b.copy_from(Assembled<double>::in_order(*space, 8));
    auto values = Assembled<double>::in_order(*space, 7);
    std::vector<double> x(space->mesh_dof.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      x[space->mesh_dof[i]] = values[i];
    std::fill_n(values.begin(), space->n_owned, 0.);
    g.copy_from(values);
    problem.lift(b, form, g);
    const auto free = DenseMatrix(*A).inverse().times(owned_values(b));
    for (int i = 0; i < space->n_owned; ++i)
      x[space->mesh_dof[i]] = free[i];
    return x;
  }

  TEST(Elimination, GivesTheSolutionOfEliminationBeforeAssembly)
  {
    for (const BoundaryCase &c : small_cases())
      for (const Backend backend : backends())
        {
          SCOPED_TRACE(c.name + ", " + to_string(backend));
          const std::vector<double> expected = solve_before(c, backend);
          Assembled<double> system(c, backend, "csr");
          system.eliminate();
          const DenseMatrix A(*system.A), inverse = A.inverse();
          const auto x = inverse.times(owned_values(system.b));
          std::vector<double> found(expected.size());
          for (std::size_t i = 0; i < x.size(); ++i)
            found[system.space->mesh_dof[i]] = x[i];
          const double condition = A.norm() * inverse.norm();
          EXPECT_LT(distance(found, expected),
                    10 * condition * std::numeric_limits<double>::epsilon() *
                      norm(expected));
        }
  }

  TEST(Elimination, SizesThatDifferAreRefused)
  {
    const BoundaryCase c = small_cases().front();
    for (const Backend backend : backends())
      {
        Assembled<double> system(c, backend, "csr");
        EXPECT_THROW(zero_rows_and_columns(system.matrix(),
                                           Array<unsigned char>(backend, 3),
                                           system.g, system.b),
                     std::length_error);
      }
  }
} // namespace tessera
