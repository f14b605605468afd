#include "divided.h"
#include "hanging_mesh.h"

#include <tessera/forms/elasticity.h>
#include <tessera/preconditioners/factory.h>

// A divided problem, with all parts in one process, must give the undivided
// result: the tail undoes all differences by ghosts and by the order of cells.
namespace tessera
{
  using namespace test;

  /// Checks operators, of which one of n_of has its turn. Elasticity is not
  /// compiled for all of them in float.
  template <class Number>
  void
  check(const Connectivity &mesh, const std::vector<int> &part,
        const int n_parts, const Backend backend,
        const std::size_t n_of = is_watched() ? 4 : 1)
  {
    struct Chosen
    {
      std::string name;
      Conflict conflict;
      std::string numbering;
    };
    const std::size_t n = mesh.n_components;
    std::vector<Chosen> chosen;
    std::size_t turn = mesh.degree + n_parts;
    for (const std::string &name : operator_names())
      for (const Conflict conflict : conflicts(backend, name))
        if (in_turn(++turn, n_of) &&
            (n == 1 || name != "local_matrices_zero_sums") &&
            (n == 1 || sizeof(Number) == sizeof(double) ||
             !(descriptor(name).is_appended() || name == "matrix_free_local")))
          chosen.push_back(
            {name, conflict, numberings[n_turns(turn, n_of) % n_numberings]});
    if (chosen.empty())
      return;
    auto x = random_values<Number>(mesh.n_dofs * n, 3);
    for (std::size_t i = 0; i < x.size(); i += n)
      if (std::count(&mesh.constrained[i], &mesh.constrained[i] + n, 1) ==
          static_cast<int>(n))
        std::fill_n(&x[i], n, Number(0));
    const Whole whole(mesh, x);
    for (const auto &[name, conflict, numbering] : chosen)
      {
        SCOPED_TRACE(to_string(backend) + ", degree " +
                     std::to_string(mesh.degree) + ", " +
                     std::to_string(n_parts) + " parts, " + name + ", " +
                     to_string(conflict) + ", " + numbering);
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
                                    "batch_interleaved");
            EXPECT_GT(divided.check_early_rows(), 0);
          }
  }

  // The part that owns all nodes of its cells lacks entries of its rows, too:
  // sweeps stay within parts if the operator is one of several, whatever its
  // ghosts are.
  TEST(OperatorPartition, SweepsAreThoseOfParts)
  {
    const Connectivity mesh = generated_mesh(1, 4, 4);
    std::vector<int> part(mesh.n_cells());
    for (std::size_t c = 0; c < part.size(); ++c)
      part[c] = c >= 8;
    const Whole whole(mesh, std::vector<double>(mesh.n_dofs));
    for (const std::string name : {"csr", "local_matrices"})
      {
        Divided<double> divided(whole, part, 2,
                                std::vector<double>(mesh.n_dofs), Backend::host,
                                name, Conflict::coloring, "batch_interleaved");
        EXPECT_EQ(divided.parts[0].space.n_ghosts, 0);
        for (const auto &A : divided.A)
          if (stores_rows(name))
            EXPECT_EQ(make_preconditioner<double>("ssor", *A)
                        ->parameters()
                        .at("preconditioner"),
                      RecordValues::mapped_type("ssor by process"));
          else
            EXPECT_THROW(make_preconditioner<double>("ssor", *A),
                         ParameterError);
      }
  }

  // Two divisions are tested: one has the coarse cells in one part and the fine
  // ones in the other, so that all sources of hanging nodes are far away, and
  // in the other one parts interlock.
  TEST(OperatorPartition, HangingNodesOnParts)
  {
    for (const CellType type : {CellType::quadrilateral, CellType::hexahedron})
      for (const int degree : degrees(type))
        for (const bool components : {false, true})
          {
            const bool solid = type == CellType::hexahedron;
            // Elasticity is not compiled for all operators of high degrees.
            if (components && degree > (solid ? 1 : 2))
              continue;
            const bool large =
              degree > 2 || (solid && degree == 2 && is_watched());
            const bool small =
              is_watched() || (solid && (components || degree > 1));
            const HangingMesh by_hand = hanging_mesh(type, degree,
                                                     solid && large ? 1
                                                     : small        ? 2
                                                                    : 3);
            const int n_coarse        = by_hand.n_coarse_cells;
            Connectivity mesh         = by_hand.mesh;
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
                    const std::size_t n = large ? 10 : is_watched() ? 4 : 1;
                    check<double>(mesh, part, n_parts, backend, n);
                    const bool all = !is_watched() && degree <= (solid ? 1 : 2);
                    check<float>(mesh, part, n_parts, backend, all ? n : 10);
                  }
              }
          }
  }
} // namespace tessera
