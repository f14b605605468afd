#include "operators/cases.h"

#include <tessera/assembly/load_vector.h>

// The load vector against the oracle's quadrature.
namespace tessera
{
  using namespace test;

  /// One component, different at every point or cell.
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
            // It is added to what is there, of the size of the load.
            auto before = random_values<Number>(space.n_local(), 4);
            std::fill(before.begin() + space.n_owned, before.end(), Number(0));
            for (int i = 0; i < space.n_owned; ++i)
              {
                before[i] = static_cast<Number>(before[i] * scale[i]);
                reference[i] += before[i];
                scale[i] += std::abs(double(before[i]));
              }
            for (const Conflict conflict : conflicts(backend))
              {
                std::vector<Number> first;
                for (int run = 0; run < 2; ++run)
                  {
                    Vector<Number> b = cells.make_vector();
                    b.copy_from(before);
                    add_load_vector(b, cells, source, conflict);
                    const auto sum = owned_values(b);
                    EXPECT_LT(rounding_units(sum, reference, scale),
                              rounding_limit)
                      << to_string(backend) << " " << to_string(conflict)
                      << " kind " << static_cast<int>(kind) << " run " << run;
                    if (run == 0)
                      first = sum;
                    if (conflict != Conflict::atomics)
                      {
                        EXPECT_EQ(sum, first);
                      }
                  }
              }
          }
      });
  }

  TEST(LoadVector, SharedEntriesOnTheDeviceNeedConflictHandling)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        {
          const CellData<double> cells(space, backend);
          Vector<double> b = cells.make_vector();
          EXPECT_THROW(
            add_load_vector(b, cells, Coefficient::scalar(1), Conflict::none),
            ParameterError);
        }
  }
} // namespace tessera
