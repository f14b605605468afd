#include "entries.h"
#include "local_entries.h"
#include "operators/cases.h"

#include <tessera/assembly/sized_blocks.h>
#include <tessera/assembly/slot_map.h>
#include <tessera/base/launch_log.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/csr.h>
#include <tessera/matrix/ell.h>

// Blocks of other sizes assemble what the oracle says.
namespace tessera
{
  using namespace test;

  namespace
  {
    template <class Number>
    bool
    exists(const int size, const Strategy strategy, const int degree)
    {
      return size < 256 || strategy != Strategy::local_reuse || degree < 4 ||
             sizeof(Number) < 8;
    }

    bool
    is_straight(const Space &space)
    {
      return space.cell_type == CellType::quadrilateral &&
             space.geometry == Geometry::vertices;
    }

    /// Calls f(number, cells, case, blocks, size) for all that there is on
    /// the device.
    template <class F>
    void
    for_each_size(const bool colored, const F &f)
    {
      int turn = 0;
      for (const Backend backend : backends())
        for_each_case([&](const auto number, const PreparedCase &c) {
          using Number = std::remove_const_t<decltype(number)>;
          if (backend == Backend::host || !is_straight(*c.space))
            return;
          const CellData<Number> cells(c.space, backend);
          for (const Strategy strategy : strategies(*c.space))
            for (const int size : block_sizes())
              if (exists<Number>(size, strategy, c.space->degree) &&
                  !left_out(turn++, 1))
                {
                  SCOPED_TRACE(to_string(strategy) + ", blocks of " +
                               std::to_string(size));
                  f(number, cells, c,
                    SizedBlocks<Number>(cells, size, strategy, colored), size);
                }
        });
    }

    std::string
    refusal(const std::function<void()> &work)
    {
      try
        {
          work();
        }
      catch (const ParameterError &error)
        {
          return error.what();
        }
      return "nothing is wrong";
    }
  } // namespace

  TEST(SizedBlocks, CellMatricesAreThoseOfTheOracle)
  {
    for_each_size(false, [](const auto number, const auto &cells,
                            const PreparedCase &c, const auto &blocks,
                            const int size) {
      using Number         = std::remove_const_t<decltype(number)>;
      const int n          = c.space->dofs_per_cell();
      const Oracle &oracle = c.oracles.back();
      const FormData<Number> kappa(laplace(oracle.kappa), cells);
      // Values are written, not added; what fills up the last batches is
      // nobody's.
      Array<Number> values(
        cells.backend(), random_values<Number>(std::size_t(cells.n_batches()) *
                                               cells.lanes() * n * n));
      const runtime::LaunchLog log;
      blocks.assemble_local(values.data(), kappa);
      EXPECT_LT(worst_entry(values, false, cells, oracle), rounding_limit);
      ASSERT_EQ(log.launches().size(), 1U);
      EXPECT_EQ(log.launches()[0].n_threads, size);
      EXPECT_EQ(log.launches()[0].n_blocks,
                (c.space->n_cells() + size - 1) / size);
    });
  }

  TEST(SizedBlocks, RowsByColoursAreThoseOfTheOracleAndTheSameTwice)
  {
    for_each_size(true, [](const auto number, const auto &cells,
                           const PreparedCase &c, const auto &blocks,
                           const int size) {
      using Number         = std::remove_const_t<decltype(number)>;
      const Oracle &oracle = c.oracles.front();
      const FormData<Number> kappa(laplace(oracle.kappa), cells);
      const SparsityPattern pattern = make_sparsity_pattern(*c.space);
      const SlotMap<Number> slots(CsrPattern(pattern, cells.backend()), cells);
      EllMatrix<Number> ell(CsrPattern(pattern, cells.backend()));
      CsrMatrix<Number> csr(CsrPattern(pattern, cells.backend()));
      const auto assemble = [&](auto &matrix) {
        matrix.values().zero();
        const auto entries = matrix.entries();
        blocks.assemble_rows(slots.sink(entries.values, entries.rows), kappa);
        return matrix.values().to_vector();
      };
      const runtime::LaunchLog log;
      const std::vector<Number> by_rows = assemble(csr);
      EXPECT_EQ(log.launches().size(),
                std::size_t(blocks.coloring().n_block_colors()));
      for (const runtime::KernelLaunch &launch : log.launches())
        EXPECT_EQ(launch.n_threads, size);
      EXPECT_EQ(blocks.coloring().cells_per_block, size);
      const Entries expected(pattern, oracle);
      EXPECT_LT(rounding_units(by_rows, expected.values, expected.scale),
                rounding_limit);
      EXPECT_EQ(by_rows, assemble(csr));
      const std::vector<Number> padded = assemble(ell);
      for (int row = 0, k = 0; row < pattern.n_rows(); ++row)
        for (int place = 0; k < pattern.row_start[row + 1]; ++k, ++place)
          ASSERT_EQ(padded[ell.addressing().position(row, place)], by_rows[k])
            << "row " << row << ", place " << place;
    });
  }

  TEST(SizedBlocks, WhatCannotBeHadIsRefusedWithTheReason)
  {
    const auto space = [](const Connectivity &mesh) {
      return std::make_shared<const Space>(build_space(mesh));
    };
    for (const Backend backend : backends())
      {
        const CellData<double> p1(space(unstructured_mesh(1, 1)), backend);
        const auto refused = [&](const auto &cells, const int size,
                                 const Strategy strategy) {
          return refusal(
            [&]() { SizedBlocks<double>(cells, size, strategy, true); });
        };
        EXPECT_EQ(refused(p1, 96, Strategy::local_reuse),
                  "The threads of a block that assembles are 96; legal are 64, "
                  "128 or 256.");
        EXPECT_EQ(refused(p1, 64, Strategy::local_reuse),
                  backend == Backend::cuda
                    ? "nothing is wrong"
                    : "Sizes of blocks can be chosen for the assembly of "
                      "quadrilaterals with straight edges on the backend cuda, "
                      "not of cells of the type quadrilateral on the backend "
                      "host.");
        if (backend == Backend::host)
          continue;
        const CellData<double> solid(
          space(generated_mesh(CellType::hexahedron, 1, 2, 2, 2)), backend);
        EXPECT_NE(refused(solid, 64, Strategy::local_reuse)
                    .find("not of cells of the type hexahedron"),
                  std::string::npos);
        const CellData<double> p4(space(unstructured_mesh(4, 1)), backend);
        EXPECT_EQ(refused(p4, 256, Strategy::local_reuse),
                  "Blocks of 256 threads would keep 51200 bytes of the metric "
                  "of degree 4 for the strategy local_reuse, beyond the 49152 "
                  "bytes of shared memory of a block.");
        EXPECT_EQ(refused(p4, 256, Strategy::redundant_compute),
                  "nothing is wrong");
      }
  }
} // namespace tessera
