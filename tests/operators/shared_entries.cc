#include "cases.h"
#include "close.h"
#include "numberings.h"
#include <tessera/operators/descriptor.h>

#include <tessera/forms/laplace.h>
#include <tessera/space/shared_entries.h>

#include <limits>

// Tests which entries of a vector are set to zero before cells are added up.
namespace tessera
{
  using namespace test;

  /// Finds the entries that belong to a single cell, by counting.
  std::vector<bool>
  entries_of_one_cell(const Space &space)
  {
    std::vector<int> cells(space.n_local(), 0);
    for (const int dof : space.cell_dofs)
      ++cells[dof];
    std::vector<bool> alone(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      alone[i] = cells[i] == 1;
    return alone;
  }

  template <class Number>
  void
  check_zeros(const std::shared_ptr<const Space> &space, const Backend backend)
  {
    const Number other = std::numeric_limits<Number>::quiet_NaN();
    const SharedEntries shared(*space, backend);
    auto y = CellData<Number>(space, backend).make_vector();
    y.copy_from(std::vector<Number>(space->n_local(), other));
    shared.zero(y, {});
    const auto values = y.to_vector();
    const auto alone  = entries_of_one_cell(*space);
    std::int64_t left = 0;
    for (int i = 0; i < space->n_local(); ++i)
      if (std::isnan(values[i]))
        {
          ++left;
          ASSERT_TRUE(alone[i])
            << "entry " << i << " of several cells is not 0";
        }
      else
        ASSERT_EQ(values[i], Number(0)) << i;
    EXPECT_EQ(left > 0, shared.n_pieces() > 0);
    if (shared.n_pieces() > 0)
      EXPECT_GE(left, (1 - SharedEntries::largest_part) * space->n_local());
  }

  /// Expects y = A x for any previous y, with inner entries and tails.
  template <class Number>
  void
  check_products(const std::shared_ptr<const Space> &space,
                 const Backend backend)
  {
    const auto cells = std::make_shared<const CellData<Number>>(space, backend);
    for (const std::string &name :
         names_where([](const auto &d) { return !d.stores_rows(); }))
      for (const Conflict conflict : conflicts(backend))
        {
          AssemblyOptions options;
          options.conflict = conflict;
          const auto A     = make_operator<Number>(
            name, cells, laplace(anisotropic(space->dim())), options);
          const auto x = random_vector(*A, 3);
          auto y = A->make_vector(), z = A->make_vector();
          A->vmult(y, x);
          z.copy_from(std::vector<Number>(
            space->n_local(), std::numeric_limits<Number>::quiet_NaN()));
          A->vmult(z, x);
          check_close(owned_values(z), owned_values(y), A->repeatable(),
                      name + " " + to_string(conflict));
        }
  }

  TEST(SharedEntries, NothingOfAnOldResultIsLeft)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral, 2))
        {
          const auto space = std::make_shared<const Space>(
            build_space(generated_mesh(degree, 9, 11, degree == 3)));
          check_products<double>(space, backend);
          check_products<float>(space, backend);
        }
  }

  TEST(SharedEntries, AreZeroAndOthersMayBe)
  {
    for (const Backend backend : backends())
      for_each_case([&](const auto number, const PreparedCase &c) {
        check_zeros<std::remove_const_t<decltype(number)>>(c.space, backend);
      });
  }

  TEST(SharedEntries, LeaveInnerNodesWhereManyFollowOneAnother)
  {
    for (const Backend backend : backends())
      for (const int degree : test::degrees(CellType::quadrilateral))
        for (const int cells_a_row : {2, 31, 33})
          for (const std::string &numbering : numberings)
            {
              const auto space = std::make_shared<const Space>(build_space(
                generated_mesh(degree, cells_a_row, 40), numbering));
              check_zeros<double>(space, backend);
              const int n_pieces = SharedEntries(*space, backend).n_pieces();
              if (backend == Backend::host || degree <= 2)
                EXPECT_EQ(n_pieces, 0);
              else if (numbering == "batch_interleaved" && cells_a_row > 2)
                EXPECT_GT(n_pieces, 10) << degree;
            }
  }
} // namespace tessera
