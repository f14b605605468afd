#include "operators/cases.h"

#include <tessera/assembly/load_vector.h>

#include <algorithm>
#include <limits>

// Tests the load vector against the oracle's quadrature.
namespace tessera
{
  using namespace test;

  /// Returns one component that differs at every point or cell.
  Coefficient
  make_source(const Space &space, const Coefficient::Kind kind)
  {
    if (kind == Coefficient::Kind::uniform)
      return Coefficient::scalar(-1.7);
    const std::size_t n =
      std::size_t(space.n_cells()) *
      (kind == Coefficient::Kind::per_cell ? 1 : space.points_per_cell());
    return {kind, 1, random_values<double>(n, 9)};
  }

  TEST(LoadVector, IsThatOfTheOracle)
  {
    for (const Backend backend : backends())
      for_each_case([&](const auto number, const PreparedCase &c) {
        using Number       = std::remove_const_t<decltype(number)>;
        const Space &space = *c.space;
        const CellData<Number> cells(c.space, backend);
        for (const Coefficient::Kind kind : PreparedCase::kinds)
          {
            const Coefficient source = make_source(space, kind);
            std::vector<double> reference, scale;
            c.oracles[0].load(source, reference, scale);
            // The load is added to values of the same size.
            auto before = random_values<Number>(space.n_local(), 4);
            std::fill(before.begin() + space.n_owned, before.end(), Number(0));
            for (int i = 0; i < space.n_owned; ++i)
              {
                before[i] = static_cast<Number>(before[i] * scale[i]);
                reference[i] += before[i];
                scale[i] += std::abs(double(before[i]));
              }
            for (const Way &way : ways(backend))
              {
                std::vector<Number> first;
                for (int run = 0; run < 2; ++run)
                  {
                    Vector<Number> b = cells.make_vector();
                    b.copy_from(before);
                    add_load_vector(b, cells, source, way.conflict, way.route);
                    const auto sum = owned_values(b);
                    EXPECT_LT(rounding_units(sum, reference, scale),
                              rounding_limit)
                      << to_string(backend) << " " << to_string(way) << " kind "
                      << static_cast<int>(kind) << " run " << run;
                    if (run == 0)
                      first = sum;
                    if (way.repeats())
                      {
                        EXPECT_EQ(sum, first);
                      }
                  }
              }
          }
      });
  }

  /// Tails are included: their entries may be ghosts that have to be sent.
  TEST(LoadVector, OfTheTailIsGatheredToo)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(3, 5, 7)));
    const Coefficient source = Coefficient::scalar(1.3);
    for (const Backend backend : backends())
      {
        const CellData<double> cells(space, backend);
        Vector<double> a = cells.make_vector(), b = cells.make_vector();
        add_load_vector(a, cells, source, Conflict::coloring);
        add_load_vector(b, cells, source, Conflict::coloring, Route::gather);
        const auto expected = a.to_vector(), values = b.to_vector();
        ASSERT_GT(space->n_constrained, 10);
        const double largest =
          *std::max_element(expected.begin(), expected.end());
        for (int i = 0; i < space->padding_index(); ++i)
          ASSERT_NEAR(values[i], expected[i],
                      10 * std::numeric_limits<double>::epsilon() * largest)
            << i;
        EXPECT_NE(values[space->n_owned], 0);
        // Cells that fill up a block add nothing on the device, where they
        // would do so at once.
        if (backend == Backend::cuda)
          {
            EXPECT_EQ(expected[space->padding_index()], 0);
          }
      }
  }

  TEST(LoadVector, IsGatheredAgainWithOneList)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(2, 9, 7)));
    const Coefficient source = make_source(*space, Coefficient::Kind::per_cell);
    for (const Backend backend : backends())
      {
        const CellData<float> cells(space, backend);
        Vector<float> a = cells.make_vector();
        add_load_vector(a, cells, source, Conflict::atomics, Route::gather);
        const CoefficientData<float> data(source, cells);
        GatherVector<float> gather(cells);
        EXPECT_GT(gather.bytes(), space->cell_dofs.size() * 4);
        for (int run = 0; run < 2; ++run)
          {
            Vector<float> b = cells.make_vector();
            add_load_vector(b, cells, data.view(), gather);
            EXPECT_EQ(owned_values(b), owned_values(a));
          }
      }
  }

  TEST(LoadVector, UnsuitableRoutesAndConflictHandlingsAreRefused)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    for (const Backend backend : backends())
      {
        const CellData<double> cells(space, backend);
        Vector<double> b = cells.make_vector();
        const auto add   = [&](const Conflict conflict, const Route route) {
          add_load_vector(b, cells, Coefficient::scalar(1), conflict, route);
        };
        EXPECT_THROW(add(Conflict::atomics, Route::append), ParameterError);
        if (backend == Backend::cuda)
          {
            EXPECT_THROW(add(Conflict::none, Route::scatter), ParameterError);
          }
        EXPECT_NO_THROW(add(Conflict::none, Route::gather));
      }
  }
} // namespace tessera
