#pragma once

#include <tessera/assembly/strategy.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>

#include "cell_meshes.h"
#include "numberings.h"
#include "oracle.h"
#include "problems.h"
#include "test.h"
#include "turns.h"
#include "ways.h"

namespace tessera::test
{
  /// A space that tells indices apart: cells are distorted or unstructured, the
  /// last batch is not full, and coefficients vary.
  struct Case
  {
    std::string name;
    Connectivity mesh;
    CellOrder cell_order  = CellOrder::mesh;
    std::string numbering = "batch_interleaved";
  };

  inline std::vector<Case>
  quadrilateral_cases(const int degree)
  {
    const auto grid = [degree](const int n_x, const int n_y,
                               const bool dirichlet = true) {
      return generated_mesh(degree, n_x, n_y, dirichlet);
    };
    std::vector<Case> result = {
      {"1 cell", grid(1, 1, false)},
      {"31 cells", grid(31, 1, false)},
      {"33 cells", grid(3, 11)},
      {"unstructured", unstructured_mesh(degree)},
    };
    // Low degrees test blocks of cells as well, and fibers run them faster.
    if (!is_watched() || degree <= 2)
      result.push_back({"several blocks", grid(17, 16), CellOrder::hilbert});
    return result;
  }

  inline std::vector<Case>
  cases(const CellType type, const int degree)
  {
    std::vector<Case> result;
    if (type == CellType::quadrilateral)
      result = quadrilateral_cases(degree);
    // Large cells have few cases; cases of low degree test sizes.
    const bool few = n_nodes(type, degree) > 27;
    for (const NamedMesh &m : awkward_meshes(type, few ? 1 : degree))
      {
        const bool stored = m.mesh.geometry != Geometry::vertices;
        if (!few && (stored || type != CellType::quadrilateral))
          result.push_back({m.name, m.mesh});
      }
    if (few)
      {
        const auto grid = [&](const double distortion, const int n) {
          return generated_mesh(type, degree, n, 1, 2, false, distortion);
        };
        result = {{"9 cells", first_cells(turned(grid(0.2, 5)), 9)},
                  {"affine", sheared(grid(0, 1))},
                  {"curved", curved(turned(grid(0.2, 1)))}};
        for (Connectivity *mesh : {&result[0].mesh, &result[1].mesh})
          mesh->constrained[3] = mesh->constrained[5] = 1;
      }
    // Numberings take turns, so that every type of cells has each of them.
    std::size_t turn = static_cast<int>(type) + 3 * degree;
    for (Case &c : result)
      c.numbering = numberings[n_turns(turn++) % n_numberings];
    return result;
  }

  /// Returns a symmetric positive definite coefficient that differs at every
  /// point, cell and component.
  inline Coefficient
  varying(const Space &space, const Coefficient::Kind kind)
  {
    const int dim = space.dim(), m = n_symmetric(dim);
    if (kind == Coefficient::Kind::uniform)
      return anisotropic(dim);
    const std::size_t n =
      std::size_t(space.n_cells()) *
      (kind == Coefficient::Kind::per_cell ? 1 : space.points_per_cell());
    Coefficient k = {kind, m, random_values<double>(m * n, 7)};
    for (std::size_t i = 0; i < n; ++i)
      for (int a = 0; a < dim; ++a)
        for (int b = a; b < dim; ++b)
          {
            double &entry = k.values[m * i + symmetric_entry(dim, a, b)];
            entry         = a == b ? entry + 2.5 - 0.3 * a : 0.4 * entry;
          }
    return k;
  }

  /// Returns the numbers at the beginning of the tensors of `varying`.
  inline Coefficient
  varying_number(const Space &space, const Coefficient::Kind kind)
  {
    const Coefficient tensors = varying(space, kind);
    Coefficient k             = {kind, 1, {}};
    for (std::size_t i = 0; i < tensors.values.size();
         i += tensors.n_components)
      k.values.push_back(tensors.values[i]);
    return k;
  }

  template <class Number>
  std::vector<double>
  as_double(const std::vector<Number> &values)
  {
    return std::vector<double>(values.begin(), values.end());
  }

  /// Returns a vector with random owned entries and a tail of zeros.
  template <class Number>
  Vector<Number>
  random_vector(const Operator<Number> &A, const unsigned int seed)
  {
    return make_vector(A, random_values<Number>(A.n_owned(), seed));
  }

  /// Returns the strategies of assembly.
  inline std::vector<std::string>
  strategies(const Space &space)
  {
    std::vector<std::string> result = strategy_names();
    // For each entry at each point of a cell, fibers take turns.
    const auto by_points =
      std::find(result.begin(), result.end(), "global_reuse");
    if (is_watched() && space.points_per_cell() > 10 &&
        by_points != result.end())
      result.erase(by_points);
    return result;
  }

  /// Returns true for combinations to skip under sanitizers, where one of n has
  /// its turn.
  inline bool
  left_out(const std::size_t index, const std::size_t n)
  {
    return is_watched() && !in_turn(index, n);
  }

  /// Returns what varies with a combination of which `left_out` tries one of n.
  inline std::size_t
  n_watched_turns(const std::size_t index, const std::size_t n)
  {
    return n_turns(index, is_watched() ? n : 1);
  }

  /// Returns true if an operator has the rows of `csr` in another layout.
  inline bool
  is_twin(const std::string &name)
  {
    return stores_rows(name) && name != "csr";
  }

  /// Returns the conflict handlings for tests of an operator. For assembled
  /// rows they matter only in assembly, which has its own tests.
  inline std::vector<Conflict>
  conflicts(const Backend backend, const std::string &name)
  {
    return stores_rows(name) ? std::vector<Conflict>{Conflict::coloring}
                             : conflicts(backend);
  }

  /// A case with its space and an oracle for each kind of coefficient: tensors
  /// of every kind, and numbers in cells, at points and for all cells before
  /// the last.
  struct PreparedCase
  {
    std::string name;
    bool heavy; ///< hundreds of times the work of others
    std::shared_ptr<const Space> space;
    std::vector<Oracle> oracles;

    PreparedCase(const Case &c, const CellType type, const int degree)
      : name(to_string(type) + ", " + c.name + ", degree " +
             std::to_string(degree)),
        heavy(type == CellType::hexahedron && degree > 2),
        space(std::make_shared<const Space>(
          build_space(c.mesh, c.numbering, c.cell_order)))
    {
      for (const Coefficient::Kind kind : kinds)
        {
          if (kind == Coefficient::Kind::per_quadrature_point)
            {
              for (const int number : {1, 2})
                oracles.emplace_back(*space,
                                     varying_number(*space, kinds[number]));
              oracles.emplace_back(*space, Coefficient::scalar(1.3));
            }
          oracles.emplace_back(*space, varying(*space, kind));
        }
    }

    static constexpr Coefficient::Kind kinds[] = {
      Coefficient::Kind::uniform, Coefficient::Kind::per_cell,
      Coefficient::Kind::per_quadrature_point};
  };

  /// Returns all cell types, degrees and cases, which are made once.
  inline const std::vector<PreparedCase> &
  prepared_cases()
  {
    static const std::vector<PreparedCase> all = []() {
      std::vector<PreparedCase> result;
      for (const CellType type : cell_types)
        for (const int degree : degrees(type))
          for (const Case &c : cases(type, degree))
            result.emplace_back(c, type, degree);
      return result;
    }();
    return all;
  }

  /// Calls `f(number, prepared case)` for float and double, all degrees and
  /// cases; `number` is a value of the type.
  template <class F>
  void
  for_each_case(const F &f)
  {
    for (const PreparedCase &c : prepared_cases())
      {
        SCOPED_TRACE(c.name);
        f(double(), c);
        f(float(), c);
      }
  }

  inline std::shared_ptr<const Space>
  distorted_boxes(const CellType type, const int degree)
  {
    return std::make_shared<const Space>(
      build_space(generated_mesh(type, degree, 5, 7, 2, true, 0.2)));
  }

  /// Returns A x for a random x, where A is the operator of that name.
  template <class Number>
  std::vector<Number>
  product(const std::string &name,
          const std::shared_ptr<const CellData<Number>> &cells,
          const Form &form, const AssemblyOptions &options = {})
  {
    const auto A = make_operator<Number>(name, cells, form, options);
    const auto x = random_vector(*A, 3);
    auto y       = A->make_vector();
    A->vmult(y, x);
    return owned_values(y);
  }
} // namespace tessera::test
