#include <tessera/base/error.h>
#include <tessera/base/host_memory.h>
#include <tessera/fem/driver/discretization.h>
#include <tessera/program/memory_estimate.h>
#include <tessera/space/partition.h>

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "multigrid_problem.h"

namespace
{
  using namespace tessera;
  using test::expect_within;
  using test::membrane;

  /// Divides a unit square or cube into n parts a direction.
  std::vector<Part>
  blocks(const Connectivity &mesh, const int n)
  {
    const int dim = mesh.dim(), v = mesh.vertices_per_cell();
    std::vector<int> part(mesh.n_cells(), 0);
    for (std::size_t c = 0; c < part.size(); ++c)
      for (int d = 0; d < dim; ++d)
        {
          double middle = 0;
          for (int k = 0; k < v; ++k)
            middle += mesh.vertices[dim * mesh.cell_vertices[c * v + k] + d];
          part[c] =
            n * part[c] + std::min(static_cast<int>(n * middle / v), n - 1);
        }
    return partition(mesh, part, dim == 2 ? n * n : n * n * n);
  }

  TEST(MemoryEstimate, OfAPartOfTheCells)
  {
    for (const CellType type : test::cell_types)
      for (const int degree : {1, 2})
        {
          SCOPED_TRACE(to_string(type) + ", degree " + std::to_string(degree));
          const bool solid = dimension(type) == 3;
          const Connectivity mesh =
            membrane(type, degree, (solid ? 36 : 160) / degree);
          const auto parts    = blocks(mesh, solid ? 3 : 4);
          const auto bytes_of = [](const Space &space) {
            return CellData<double>(std::make_shared<const Space>(space),
                                    Backend::host)
              .bytes();
          };
          double n_owned = 0, n_ghosts = 0, bytes = 0;
          for (const Part &part : parts)
            {
              n_owned += part.space.n_owned;
              n_ghosts += part.space.n_ghosts;
              bytes += bytes_of(part.space);
            }
          program::CaseSize size;
          size.cell_type   = type;
          size.degree      = degree;
          size.n_cells     = mesh.n_cells();
          size.n_processes = static_cast<int>(parts.size());
          const program::MemoryEstimate estimate(size);
          const double n = size.n_processes;
          expect_within(2, estimate.n_ghosts / (n_ghosts / n));
          // The estimate gives every part as much of the cells; parts fill up
          // their last block.
          const double whole = bytes_of(build_space(mesh));
          EXPECT_GE(bytes, 0.99 * whole);
          EXPECT_LT(bytes, 1.5 * whole);
          expect_within(1.1, n * estimate.cells / whole);
          EXPECT_NEAR(estimate.vectors, 7 * 8. * n_owned / n,
                      0.3 * estimate.vectors);
        }
  }

  /// A billion unknowns, without a mesh of them.
  TEST(MemoryEstimate, OfOneOfManyProcesses)
  {
    program::CaseSize size;
    size.backend   = Backend::cuda;
    size.n_cells   = std::pow(2., 30);
    size.n_varying = 1;
    size.library   = bytes_of_deal_ii(size.cell_type);
    for (const std::string name : {"matrix_free", "csr"})
      {
        SCOPED_TRACE(name);
        size.operator_name = name;
        size.n_processes   = 1;
        const program::MemoryEstimate alone(size);
        EXPECT_EQ(alone.n_ghosts, 0);
        EXPECT_EQ(alone.ghosts, 0);
        size.n_processes = 64;
        const program::MemoryEstimate part(size);
        // Every process has the whole mesh, and coefficients of its own part.
        EXPECT_EQ(part.n_dofs, alone.n_dofs);
        EXPECT_EQ(part.mesh, alone.mesh);
        const double varying = 8 * 4 * size.n_cells;
        EXPECT_EQ(part.arrays, alone.arrays - varying * 63 / 64);
        EXPECT_EQ(part.cells, alone.cells / 64);
        EXPECT_EQ(part.vectors, alone.vectors / 64);
        EXPECT_EQ(part.preconditioner, alone.preconditioner / 64);
        EXPECT_DOUBLE_EQ(part.matrix, alone.matrix / 64);
        EXPECT_DOUBLE_EQ(part.entities, alone.entities / 64);
        // Two sides of a square of 4096 by 4096 unknowns are ghosts.
        EXPECT_DOUBLE_EQ(part.n_ghosts, 2 * 4096);
        EXPECT_DOUBLE_EQ(part.ghosts, 2 * 4096 * (9 * 8 + 20));
        EXPECT_DOUBLE_EQ(part.on_device() - part.ghosts,
                         alone.on_device() / 64);
        EXPECT_EQ(part.on_host(), part.mesh + part.arrays);
        size.distributed = true;
        const program::MemoryEstimate of_forest(size);
        EXPECT_EQ(of_forest.whole, 0);
        EXPECT_EQ(of_forest.mesh, alone.mesh / 64);
        EXPECT_EQ(of_forest.arrays, alone.arrays / 64);
        EXPECT_EQ(of_forest.on_backend(), part.on_backend());
        // One process has the mesh before METIS divides it, without degrees of
        // freedom.
        size.has_divider = true;
        const program::MemoryEstimate of_metis(size);
        EXPECT_EQ(of_metis.mesh, of_forest.mesh);
        EXPECT_GT(of_metis.whole, 64 * of_metis.mesh / 2);
        EXPECT_LT(of_metis.whole, 2 * alone.mesh);
        EXPECT_EQ(of_metis.on_host(), of_forest.on_host());
        size.distributed = size.has_divider = false;
      }
  }

  TEST(MemoryEstimate, TellsWhatAllProcessesNeed)
  {
    program::CaseSize size;
    size.n_cells = std::pow(2., 30);
    size.library = bytes_of_deal_ii(size.cell_type);
    std::ostringstream alone, shared;
    program::MemoryEstimate(size).print_largest(alone);
    EXPECT_EQ(alone.str().find("process"), std::string::npos);
    size.n_processes = 64;
    program::MemoryEstimate(size).print_largest(shared);
    for (const std::string text :
         {"1 073 741 824 degrees of freedom", "16 777 216 of the cells",
          "8 192 ghosts", "memory of a process", "all of 64 processes",
          "Every process has the whole mesh"})
      EXPECT_NE(shared.str().find(text), std::string::npos) << shared.str();
    size.distributed = true;
    shared.str("");
    program::MemoryEstimate(size).print_largest(shared);
    EXPECT_EQ(shared.str().find("whole mesh"), std::string::npos);
    size.has_divider = true;
    shared.str("");
    program::MemoryEstimate(size).print_largest(shared);
    EXPECT_NE(shared.str().find("One process has the whole mesh, about "),
              std::string::npos);
    size.distributed = size.has_divider = false;
    // All processes of a host need its memory.
    const program::MemoryEstimate one(size);
    size.n_cells *= free_host_memory() / one.on_host() / 4;
    const std::string what = "It";
    EXPECT_NO_THROW(program::MemoryEstimate(size).check(what, 0, "less"));
    size.n_on_host = 8;
    std::ostringstream said;
    try
      {
        program::MemoryEstimate(size).check(what, 0, "less", &said);
        FAIL() << "eight times a quarter fits";
      }
    catch (const DeviceError &error)
      {
        EXPECT_NE(std::string(error.what()).find("on the host for 8 processes"),
                  std::string::npos)
          << error.what();
      }
    EXPECT_NE(said.str().find("all of 64 processes"), std::string::npos);
  }
} // namespace
