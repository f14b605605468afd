#include "divided.h"
#include "hanging_mesh.h"

#include <tessera/forms/elasticity.h>
#include <tessera/preconditioners/factory.h>

// A divided problem, with all parts in one process, must give the undivided
// result: the tail undoes all differences by ghosts and by the order of cells.
namespace tessera
{
  using namespace test;

  template <class Number>
  void
  check(const Connectivity &mesh, const std::vector<int> &part,
        const int n_parts, const Backend backend)
  {
    const std::size_t n = mesh.n_components;
    auto x              = random_values<Number>(mesh.n_dofs * n, 3);
    for (std::size_t i = 0; i < x.size(); i += n)
      if (std::count(&mesh.constrained[i], &mesh.constrained[i] + n, 1) ==
          static_cast<int>(n))
        std::fill_n(&x[i], n, Number(0));
    const Whole whole(mesh, x);
    int turn = mesh.degree + n_parts;
    for (const std::string &name : operator_names())
      for (const Conflict conflict : conflicts(backend, name))
        {
          if (name == "local_matrices_zero_sums" && n > 1)
            continue;
          const Numbering numbering = numberings[turn++ % n_numberings];
          if (left_out(turn, 2))
            continue;
          SCOPED_TRACE(to_string(backend) + ", degree " +
                       std::to_string(mesh.degree) + ", " +
                       std::to_string(n_parts) + " parts, " + name + ", " +
                       to_string(conflict) + ", " + to_string(numbering));
          Divided<Number> divided(whole, part, n_parts, x, backend, name,
                                  conflict, numbering);
          divided.check_add();
          divided.check_dot();
          divided.check_diagonal();
          divided.check_overlap();
        }
  }

  TEST(OperatorPartition, InterlockedPartsAreTheWhole)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral))
        for (const int n_parts : {2, 3})
          {
            const Connectivity mesh = unstructured_mesh(degree, 1);
            std::vector<int> part(mesh.n_cells());
            for (std::size_t c = 0; c < part.size(); ++c)
              part[c] = static_cast<int>((c / 5 * 7 + c % 2) % n_parts);
            check<double>(mesh, part, n_parts, backend);
            if (!is_watched())
              check<float>(mesh, part, n_parts, backend);
          }
  }

  // Parts have several blocks, some of which are interior.
  TEST(OperatorPartition, HalvesAreTheWhole)
  {
    for (const Backend backend : backends())
      for (const int degree : {1, 2})
        {
          const Connectivity mesh = generated_mesh(degree, 28, 48);
          std::vector<int> part(mesh.n_cells());
          for (std::size_t c = 0; c < part.size(); ++c)
            part[c] = c % 28 < 15;
          for (const Part &each : partition(mesh, part, 2))
            {
              const CellData<double> cells(
                std::make_shared<const Space>(each.space), backend);
              for (const CellRange range :
                   {CellRange::first_half, CellRange::boundary,
                    CellRange::second_half})
                ASSERT_GT(
                  cells.launches(Conflict::atomics, range).at(0).n_blocks, 0);
            }
          check<double>(mesh, part, 2, backend);
        }
  }

  TEST(OperatorPartition, RowsAreMultipliedWhileGhostsTravel)
  {
    for (const Backend backend : backends())
      for (const bool components : {false, true})
        for (const std::string &name : operator_names())
          {
            if (!stores_rows(name))
              continue;
            SCOPED_TRACE(to_string(backend) + ", " + name +
                         (components ? ", components" : ""));
            HangingMesh by_hand =
              hanging_mesh(CellType::quadrilateral, 1, is_watched() ? 4 : 6);
            const Connectivity mesh =
              components ? with_components(by_hand.mesh) : by_hand.mesh;
            std::vector<int> part(mesh.n_cells());
            for (std::size_t c = 0; c < part.size(); ++c)
              part[c] = 2 * c >= part.size();
            const std::vector<double> x =
              random_values<double>(mesh.n_dofs * mesh.n_components, 3);
            const Whole whole(mesh, x);
            Divided<double> divided(whole, part, 2, x, backend, name,
                                    default_conflict(backend),
                                    Numbering::batch_interleaved);
            EXPECT_GT(divided.check_early_rows(), 0);
          }
  }

  // The part that owns all nodes of its cells lacks entries of its rows, too.
  TEST(OperatorPartition, PartsHaveNoSweeps)
  {
    const Connectivity mesh = generated_mesh(1, 4, 4);
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = c >= 8;
    const Whole whole(mesh, std::vector<double>(mesh.n_dofs));
    for (const std::string name : {"csr", "local_matrices"})
      {
        const Divided<double> divided(
          whole, part, 2, std::vector<double>(mesh.n_dofs), Backend::host, name,
          Conflict::coloring, Numbering::batch_interleaved);
        EXPECT_EQ(divided.parts[0].space.n_ghosts, 0);
        for (const auto &A : divided.A)
          EXPECT_THROW(make_preconditioner<double>("ssor", *A), ParameterError);
      }
  }

  // Two divisions are tested: one has the coarse cells in one part and the fine
  // ones in the other, so that all sources of hanging nodes are far away, and
  // in the other one parts interlock.
  TEST(OperatorPartition, HangingNodesOnParts)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (int degree = 1; degree <= 2; ++degree)
        for (const bool components : {false, true})
          {
            const bool large = degree == 2 && type == CellType::hexahedron;
            if (large && (is_watched() || components))
              continue;
            const bool small = is_watched() || (type == CellType::hexahedron &&
                                                (components || degree > 1));
            const HangingMesh by_hand =
              hanging_mesh(type, degree, small ? 2 : 3);
            const int n_coarse = by_hand.n_coarse_cells;
            Connectivity mesh  = by_hand.mesh;
            if (components)
              mesh = with_components(mesh);
            for (const int n_parts : {2, 3})
              {
                std::vector<int> part(mesh.n_cells());
                for (int c = 0; c < mesh.n_cells(); ++c)
                  part[c] = n_parts == 2 ? c >= n_coarse : (c / 3 + c % 2) % 3;
                SCOPED_TRACE(to_string(type) +
                             (components ? ", components" : ""));
                for (const Backend backend : backends())
                  {
                    check<double>(mesh, part, n_parts, backend);
                    if (!is_watched() && !components && !large)
                      check<float>(mesh, part, n_parts, backend);
                  }
              }
          }
  }
} // namespace tessera
