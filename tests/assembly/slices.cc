#include "operators/cases.h"

#include <tessera/assembly/slot_map.h>
#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/csr.h>
#include <tessera/matrix/sell.h>

using namespace tessera;
using namespace tessera::test;

// Rows that are sorted or split among lanes must get the bits of compressed
// rows, and the same bits twice, by gathering and by colours.
namespace
{
  template <class Number>
  void
  check(const CellData<Number> &cells, const Coefficient &coefficient,
        const Way &way)
  {
    SCOPED_TRACE(to_string(cells.backend()) + ' ' + to_string(way));
    const FormData<Number> kappa(laplace(coefficient), cells);
    const SparsityPattern pattern = make_sparsity_pattern(cells.space());
    const SlotMap<Number> slots(CsrPattern(pattern, cells.backend()), cells);
    const auto assembled = [&](RowMatrix<Number> &&matrix) {
      assemble_rows(slots.sink(matrix.values().data(), matrix.addressing()),
                    kappa, "local_reuse", way);
      return collect_rows(matrix, matrix.n_rows()).values;
    };
    const auto expected =
      assembled(CsrMatrix<Number>(CsrPattern(pattern, cells.backend())));
    for (const SellShape &shape : {SellShape{32, 1024}, SellShape{32, 0, 1, 8}})
      for (int run = 0; run < (is_watched() ? 1 : 2); ++run)
        EXPECT_EQ(assembled(SellMatrix<Number>(
                    CsrPattern(pattern, cells.backend()), shape)),
                  expected);
  }
} // namespace

TEST(AssembleSlices, TheBitsOfCompressedRowsTwice)
{
  int turn = 0;
  for_each_case([&turn](const auto number, const PreparedCase &c) {
    if (!c.heavy && c.space->degree <= 2)
      for (const Backend backend : backends())
        for (const Way &way : {Way{Route::gather, Conflict::coloring},
                               Way{Route::scatter, Conflict::coloring}})
          if (!left_out(turn++ / 3, 2))
            check(
              CellData<std::remove_const_t<decltype(number)>>(c.space, backend),
              c.oracles[1].kappa, way);
  });
}
