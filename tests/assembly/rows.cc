#include "entries.h"
#include "operators/each_case.h"

#include <tessera/assembly/slot_map.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/csr.h>

// Tests every entry of assembled rows against the sums of the oracle's cell
// matrices.
namespace tessera
{
  using namespace test;

  /// Returns the values of ELLPACK in the order of compressed rows. The padding
  /// must be zero.
  template <class Number>
  std::vector<Number>
  from_ellpack(const SparsityPattern &pattern,
               const std::vector<Number> &values)
  {
    const int n = pattern.n_rows(), width = pattern.max_row_length();
    std::vector<Number> result;
    std::size_t n_zero = 0;
    for (int row = 0; row < n; ++row)
      for (int k = 0; k < width; ++k)
        if (k < pattern.row_start[row + 1] - pattern.row_start[row])
          result.push_back(values[std::size_t(k) * n + row]);
        else
          n_zero += values[std::size_t(k) * n + row] == 0;
    EXPECT_EQ(result.size() + n_zero, values.size());
    return result;
  }

  /// Assembles into compressed rows and into ELLPACK with the same slot map.
  template <class Number>
  void
  check(const CellData<Number> &cells, const Oracle &oracle,
        const std::string &strategy, const Way &way,
        const SparsityPattern &pattern, const SlotMap<Number> &slots,
        const Entries &expected)
  {
    SCOPED_TRACE(to_string(cells.backend()) + " " + strategy + " " +
                 to_string(way) + " kind " +
                 std::to_string(static_cast<int>(oracle.kappa.kind)) + " " +
                 std::to_string(sizeof(Number)));
    const FormData<Number> kappa(laplace(oracle.kappa), cells);
    const RowAddressing ellpack{nullptr, nullptr, nullptr, nullptr,
                                pattern.n_rows()};
    const bool wide = pattern.max_row_length() >= 255;
    EXPECT_EQ(slots.sink(nullptr, ellpack).slots_16 != nullptr, wide);
    EXPECT_EQ(slots.sink(nullptr, ellpack).slots_8 == nullptr, wide);

    CsrMatrix<Number> csr(CsrPattern(pattern, cells.backend()));
    assemble_rows(slots.sink(csr.values().data(), csr.addressing()), kappa,
                  strategy, way);
    const auto by_rows = csr.values().to_vector();
    EXPECT_LT(rounding_units(by_rows, expected.values, expected.scale),
              rounding_limit);

    Array<Number> values(cells.backend(), std::size_t(pattern.n_rows()) *
                                            pattern.max_row_length());
    assemble_rows(slots.sink(values.data(), ellpack), kappa, strategy, way);
    const auto others = from_ellpack(pattern, values.to_vector());
    EXPECT_LT(rounding_units(others, expected.values, expected.scale),
              rounding_limit);
    if (way.repeats())
      {
        EXPECT_EQ(by_rows, others);
      }
  }

  /// Strategies, routes and conflict handlings, of which one of n_of is in
  /// turn, each time with another kind of coefficient.
  template <class Number>
  void
  check_all(const std::shared_ptr<const Space> &space,
            const std::vector<Oracle> &oracles, std::size_t turn)
  {
    const SparsityPattern pattern = make_sparsity_pattern(*space);
    const auto expected           = all_entries(pattern, oracles);
    // Three or four ways take turns, too: five has no common divisor with them.
    const std::size_t n_of = 5;
    for (const Backend backend : backends())
      {
        const CellData<Number> cells(space, backend);
        const SlotMap<Number> slots(CsrPattern(pattern, backend), cells);
        for (const std::string &strategy : strategies(*space))
          {
            // Ways take turns where each entry of a large cell is summed apart.
            std::vector<Way> chosen = ways(backend);
            if (strategy == "global_reuse" && space->points_per_cell() > 27)
              chosen = {chosen[n_turns(turn) % chosen.size()]};
            for (const Way &way : chosen)
              {
                if (!in_turn(++turn, n_of))
                  continue;
                const std::size_t kind = n_turns(turn, n_of) % oracles.size();
                check(cells, oracles[kind], strategy, way, pattern, slots,
                      expected[kind]);
              }
          }
      }
  }

  TEST_P(EachCase, EntriesOfRowsAreThoseOfTheOracle)
  {
    check_all<double>(c.space, c.oracles, GetParam());
    check_all<float>(c.space, c.oracles, GetParam() + 1);
  }

  TEST(AssembleRows, LongRowsHaveSlotsOf16Bits)
  {
    const auto space =
      std::make_shared<const Space>(build_space(star_mesh(4, 14)));
    ASSERT_EQ(make_sparsity_pattern(*space).max_row_length(), 1 + 14 * 20);
    const std::vector<Oracle> oracles = {
      Oracle(*space, varying(*space, Coefficient::Kind::per_cell))};
    check_all<double>(space, oracles, 0);
    check_all<float>(space, oracles, 0);
  }

  /// Threads that have different columns share the rows of these cells.
  TEST(AssembleRows, SharedRowsAreGathered)
  {
    for (const PreparedCase &c : prepared_cases())
      if (c.name == "hexahedron, affine, degree 2" ||
          c.name == "hexahedron, 9 cells, degree 3")
        {
          SCOPED_TRACE(c.name);
          const SparsityPattern pattern = make_sparsity_pattern(*c.space);
          const Oracle &oracle          = c.oracles.front();
          const Entries expected(pattern, oracle);
          for (const Backend backend : backends())
            {
              const CellData<double> cells(c.space, backend);
              const SlotMap<double> slots(CsrPattern(pattern, backend), cells);
              check(cells, oracle, "local_reuse",
                    Way{Route::gather, Conflict::coloring}, pattern, slots,
                    expected);
            }
        }
  }

  TEST(AssembleRows, AddsToWhatIsThere)
  {
    const auto space =
      std::make_shared<const Space>(build_space(unstructured_mesh(2, 1)));
    const SparsityPattern pattern = make_sparsity_pattern(*space);
    for (const Backend backend : backends())
      for (const Conflict conflict : conflicts(backend))
        {
          const CellData<double> cells(space, backend);
          const FormData<double> kappa(laplace(anisotropic()), cells);
          const SlotMap<double> slots(CsrPattern(pattern, backend), cells);
          CsrMatrix<double> csr(CsrPattern(pattern, backend));
          const auto assemble = [&]() {
            assemble_rows(slots.sink(csr.values().data(), csr.addressing()),
                          kappa, "local_reuse", conflict);
            return csr.values().to_vector();
          };
          std::vector<double> once = assemble();
          const Entries expected(pattern, Oracle(*space, anisotropic()));
          for (double &value : once)
            value *= 2;
          EXPECT_LT(rounding_units(assemble(), once, expected.scale),
                    rounding_limit);
        }
  }

  TEST(AssembleRows, ColoringGivesTheSameBitsTwice)
  {
    int turn = 0;
    for (const Backend backend : backends())
      for_each_case([&](const auto number, const PreparedCase &c) {
        using Number = std::remove_const_t<decltype(number)>;
        if (c.space->degree > 2)
          return;
        const CellData<Number> cells(c.space, backend);
        const FormData<Number> kappa(laplace(c.oracles[1].kappa), cells);
        const SparsityPattern pattern = make_sparsity_pattern(*c.space);
        const SlotMap<Number> slots(CsrPattern(pattern, backend), cells);
        for (const std::string &strategy : strategies(*c.space))
          {
            if (!in_turn(turn++, is_watched() ? 10 : 3))
              continue;
            std::vector<Number> first;
            for (int run = 0; run < 2; ++run)
              {
                CsrMatrix<Number> csr(CsrPattern(pattern, backend));
                assemble_rows(slots.sink(csr.values().data(), csr.addressing()),
                              kappa, strategy, Conflict::coloring);
                if (run == 0)
                  first = csr.values().to_vector();
                EXPECT_EQ(csr.values().to_vector(), first);
              }
          }
      });
  }

  TEST(AssembleRows, SharedEntriesOnTheDeviceNeedConflictHandling)
  {
    const auto space =
      std::make_shared<const Space>(build_space(generated_mesh(1, 4, 5)));
    const SparsityPattern pattern = make_sparsity_pattern(*space);
    for (const Backend backend : backends())
      if (backend == Backend::cuda)
        {
          const CellData<double> cells(space, backend);
          const FormData<double> kappa(laplace(anisotropic()), cells);
          const SlotMap<double> slots(CsrPattern(pattern, backend), cells);
          CsrMatrix<double> csr(CsrPattern(pattern, backend));
          EXPECT_THROW(
            assemble_rows(slots.sink(csr.values().data(), csr.addressing()),
                          kappa, "local_reuse", Conflict::none),
            ParameterError);
        }
  }
} // namespace tessera
