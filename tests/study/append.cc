#include "entries.h"
#include "operators/each_case.h"

#include <tessera/forms/laplace.h>
#include <tessera/space/partition.h>
#include <tessera/study/assembly/append.h>
#include <tessera/study/matrix/lazy_ell.h>

// Tests appended rows: their entries add up to the sums of the oracle's cell
// matrices.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// The content of the appended rows; places behind them are ignored.
    template <class Number>
    struct Appended
    {
      std::vector<std::int32_t> lengths;
      std::vector<int> columns;
      std::vector<Number> values;
      int width;

      explicit Appended(const LazyEllMatrix<Number> &matrix)
        : lengths(copy_of(matrix.backend(), matrix.lengths(), matrix.n_rows())),
          columns(copy_of(matrix.backend(), matrix.columns(),
                          matrix.values().size())),
          values(matrix.values().to_vector()), width(matrix.width())
      {}

      /// Adds up entries at the same place of the pattern, which has all.
      std::vector<Number>
      sums(const SparsityPattern &pattern) const
      {
        std::vector<Number> result(pattern.columns.size(), Number(0));
        for (int row = 0; row < pattern.n_rows(); ++row)
          for (int k = 0; k < lengths[row]; ++k)
            {
              const auto at = ell_place(row, k, width);
              const auto end =
                pattern.columns.begin() + pattern.row_start[row + 1];
              const auto place = std::lower_bound(pattern.columns.begin() +
                                                    pattern.row_start[row],
                                                  end, columns[at]);
              EXPECT_TRUE(place != end && *place == columns[at]);
              result[place - pattern.columns.begin()] += values[at];
            }
        return result;
      }
    };

    /// Returns the lengths of rows: every cell of a row appends n entries.
    std::vector<std::int32_t>
    full_lengths(const Space &space)
    {
      std::vector<std::int32_t> lengths(space.n_stored(), 0);
      for (const int dof : space.cell_dofs)
        if (dof < space.n_stored())
          lengths[dof] += space.dofs_per_cell();
      return lengths;
    }

    template <class Number>
    void
    check(const std::shared_ptr<const Space> &space,
          const std::vector<Oracle> &oracles, int turn)
    {
      const SparsityPattern pattern = make_sparsity_pattern(*space);
      const auto expected           = all_entries(pattern, oracles);
      for (const Backend backend : backends())
        {
          const CellData<Number> cells(space, backend);
          LazyEllMatrix<Number> matrix(cells);
          for (const std::string &strategy : strategies(*space))
            for (const Conflict conflict : conflicts(backend))
              {
                if (!in_turn(++turn, 2))
                  continue;
                SCOPED_TRACE(to_string(backend) + " " + strategy + " " +
                             to_string(conflict) + " " +
                             std::to_string(sizeof(Number)));
                const std::size_t n    = n_turns(turn, 2);
                const std::size_t kind = n % oracles.size();
                const FormData<Number> kappa(laplace(oracles[kind].kappa),
                                             cells);
                append_rows(matrix.begin_assembly(), kappa, strategy, conflict);
                const Appended<Number> rows(matrix);
                EXPECT_EQ(rows.lengths, full_lengths(*space));
                EXPECT_LT(rounding_units(rows.sums(pattern),
                                         expected[kind].values,
                                         expected[kind].scale),
                          rounding_limit);
                if (is_watched() && n % 3 != 0)
                  continue;
                // Consolidation gives the same sums at the places of ELLPACK.
                const EllMatrix<Number> sorted = matrix.consolidate();
                const auto values              = sorted.values().to_vector();
                std::vector<Number> by_rows;
                for (int row = 0; row < pattern.n_rows(); ++row)
                  for (auto k = pattern.row_start[row];
                       k < pattern.row_start[row + 1]; ++k)
                    by_rows.push_back(values[ell_place(
                      row, int(k - pattern.row_start[row]), sorted.width())]);
                EXPECT_EQ(by_rows, rows.sums(pattern));
              }
        }
    }
  } // namespace

  TEST_P(EachCase, SumsOfAppendedRowsAreThoseOfTheOracle)
  {
    const int turn = 2 * static_cast<int>(GetParam());
    check<double>(c.space, c.oracles, turn + 1);
    check<float>(c.space, c.oracles, turn + 2);
  }

  TEST(AppendRows, ManyCellsAroundARow)
  {
    const auto space =
      std::make_shared<const Space>(build_space(star_mesh(2, 40)));
    const std::vector<Oracle> oracles = {
      Oracle(*space, varying(*space, Coefficient::Kind::per_cell))};
    check<double>(space, oracles, 0);
    check<float>(space, oracles, 1);
  }

  TEST(AppendRows, RowsAndColumnsOfGhosts)
  {
    for (int degree = 1; degree <= 3; ++degree)
      {
        const Connectivity mesh = unstructured_mesh(degree, 1);
        std::vector<int> part(mesh.n_cells());
        for (std::size_t c = 0; c < part.size(); ++c)
          part[c] = static_cast<int>((c / 5 * 7 + c % 2) % 2);
        int n_ghosts = 0;
        for (const Part &each : partition(mesh, part, 2))
          {
            const auto space = std::make_shared<const Space>(each.space);
            n_ghosts += space->n_ghosts;
            const std::vector<Oracle> oracles = {
              Oracle(*space, anisotropic(2))};
            check<double>(space, oracles, 0);
            check<float>(space, oracles, 1);
          }
        EXPECT_GT(n_ghosts, 0);
      }
  }

  TEST(AppendRows, ColoringGivesTheSameRowsTwice)
  {
    for (const Backend backend : backends())
      for_each_case([&](const auto number, const PreparedCase &c) {
        using Number = std::remove_const_t<decltype(number)>;
        if (c.space->degree > 2)
          return;
        const CellData<Number> cells(c.space, backend);
        const FormData<Number> kappa(laplace(c.oracles[1].kappa), cells);
        LazyEllMatrix<Number> matrix(cells);
        for (const std::string &strategy : strategies(*c.space))
          {
            const auto rows = [&]() {
              append_rows(matrix.begin_assembly(), kappa, strategy,
                          Conflict::coloring);
              return Appended<Number>(matrix);
            };
            const Appended<Number> first = rows(), second = rows();
            EXPECT_EQ(first.lengths, second.lengths);
            EXPECT_EQ(first.columns, second.columns);
            EXPECT_EQ(first.values, second.values);
          }
      });
  }

  TEST(AppendRows, SharedRowsOnTheDeviceNeedConflictHandling)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    for (const Backend backend : backends())
      {
        if (backend == Backend::host)
          continue;
        const auto cells =
          std::make_shared<const CellData<double>>(space, backend);
        const FormData<double> kappa(laplace(anisotropic()), *cells);
        LazyEllMatrix<double> matrix(*cells);
        EXPECT_THROW(append_rows(matrix.begin_assembly(), kappa,
                                 "redundant_compute", Conflict::none),
                     ParameterError);
        for (const std::string name : {"lazy_ell", "lazy_ell_consolidated"})
          try
            {
              AssemblyOptions options;
              options.conflict = Conflict::none;
              make_operator<double>(name, cells, laplace(anisotropic()),
                                    options);
              ADD_FAILURE() << "no error";
            }
          catch (const ParameterError &error)
            {
              EXPECT_EQ(std::string(error.what()),
                        "The conflict handling 'none' does not suit the "
                        "operator " +
                          name +
                          " on the backend cuda; legal are atomics and "
                          "coloring.");
            }
      }
  }

  TEST(AppendRows, SetUpIsTimedApartFromValues)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(2, 20, 20)));
    for (const Backend backend : backends())
      for (const std::string name : {"lazy_ell", "lazy_ell_consolidated"})
        {
          AssemblyTiming timing;
          AssemblyOptions options;
          options.timing = &timing;
          make_operator<double>(
            name, std::make_shared<const CellData<double>>(space, backend),
            laplace(anisotropic()), options);
          EXPECT_GT(timing.pattern, 0);
          EXPECT_GT(timing.values, 0);
        }
  }
} // namespace tessera
