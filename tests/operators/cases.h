#pragma once

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>

#include "meshes.h"
#include "oracle.h"
#include "problems.h"
#include "test.h"

namespace tessera::test
{
  /// A space that tells indices apart: distorted or unstructured cells, a last
  /// batch that is not full, and coefficients that vary.
  struct Case
  {
    std::string name;
    Connectivity mesh;
    Numbering numbering  = Numbering::batch_interleaved;
    CellOrder cell_order = CellOrder::mesh;
  };

  inline std::vector<Case>
  cases(const int degree)
  {
    const auto grid = [degree](const int n_x, const int n_y,
                               const bool dirichlet = true) {
      return generated_mesh(degree, n_x, n_y, dirichlet);
    };
    return {
      {"1 cell", grid(1, 1, false)},
      {"31 cells", grid(31, 1, false)},
      {"33 cells", grid(3, 11), Numbering::cell_first_touch},
      {"unstructured", unstructured_mesh(degree)},
      {"several blocks", grid(17, 16), Numbering::batch_interleaved,
       CellOrder::hilbert},
    };
  }

  /// Symmetric positive definite and different at every point, cell and
  /// component.
  inline Coefficient
  varying(const Space &space, const Coefficient::Kind kind)
  {
    if (kind == Coefficient::Kind::uniform)
      return Coefficient::tensor(2., 0.3, 0.7);
    const std::size_t n =
      std::size_t(space.n_cells()) *
      (kind == Coefficient::Kind::per_cell ? 1 : space.dofs_per_cell());
    Coefficient k = {kind, 3, random_values<double>(3 * n, 7)};
    for (std::size_t i = 0; i < n; ++i)
      {
        k.values[3 * i] += 2.5;
        k.values[3 * i + 2] += 1.9;
        k.values[3 * i + 1] *= 0.5;
      }
    return k;
  }

  template <class Number>
  std::vector<double>
  as_double(const std::vector<Number> &values)
  {
    return std::vector<double>(values.begin(), values.end());
  }

  /// Random owned entries, tail zero.
  template <class Number>
  Vector<Number>
  random_vector(const Operator<Number> &A, const unsigned int seed)
  {
    return make_vector(A, random_values<Number>(A.n_owned(), seed));
  }

  /// The conflict handlings that a backend has for cell operators.
  inline std::vector<Conflict>
  conflicts(const Backend backend)
  {
    if (backend == Backend::cuda)
      return {Conflict::atomics, Conflict::coloring};
    return {Conflict::atomics, Conflict::coloring, Conflict::none};
  }

  /// Those that tests of an operator go through. For assembled rows they only
  /// matter in assembly, which has its own tests.
  inline std::vector<Conflict>
  conflicts(const Backend backend, const std::string &name)
  {
    return name == "csr" ? std::vector<Conflict>{Conflict::coloring}
                         : conflicts(backend);
  }

  /// A case with its space and what the oracle says, by the kind of its
  /// coefficient.
  struct PreparedCase
  {
    std::string name;
    std::shared_ptr<const Space> space;
    std::vector<Oracle> oracles;

    PreparedCase(const Case &c, const int degree)
      : name(c.name + ", degree " + std::to_string(degree)),
        space(std::make_shared<const Space>(
          build_space(c.mesh, c.numbering, c.cell_order)))
    {
      for (const Coefficient::Kind kind : kinds)
        oracles.emplace_back(*space, varying(*space, kind));
    }

    static constexpr Coefficient::Kind kinds[] = {
      Coefficient::Kind::uniform, Coefficient::Kind::per_cell,
      Coefficient::Kind::per_quadrature_point};
  };

  /// All degrees and cases, made once.
  inline const std::vector<PreparedCase> &
  prepared_cases()
  {
    static const std::vector<PreparedCase> all = []() {
      std::vector<PreparedCase> result;
      for (int degree = 1; degree <= 4; ++degree)
        for (const Case &c : cases(degree))
          result.emplace_back(c, degree);
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
} // namespace tessera::test
