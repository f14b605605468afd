#include "../matrix/rows.h"
#include "boundary.h"
#include "operators/cases.h"

#include <tessera/forms/laplace.h>
#include <tessera/matrix/collect_rows.h>
#include <tessera/matrix/matrix_checks.h>
#include <tessera/operators/assembler.h>
#include <tessera/study/assembly/append.h>
#include <tessera/study/matrix/lazy_ell.h>

// Tests lazy ELLPACK: places and lengths of small meshes by hand, consolidation
// of rows whose columns repeat, and patterns of all meshes.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// Copies values to memory of a backend.
    template <class T>
    void
    write(const Backend backend, T *to, const std::vector<T> &values)
    {
      if (backend == Backend::host)
        std::copy(values.begin(), values.end(), to);
      else
        runtime::copy(to, values.data(), sizeof(T) * values.size(),
                      runtime::Copy::host_to_device);
    }

    template <class Number>
    std::vector<std::int32_t>
    lengths_of(const EllMatrix<Number> &matrix)
    {
      return copy_of(matrix.backend(), matrix.lengths(), matrix.n_rows());
    }

    template <class Number>
    void
    append(LazyEllMatrix<Number> &matrix, const CellData<Number> &cells,
           const BoundaryMatrices<Number> *boundary = nullptr)
    {
      const FormData<Number> kappa(laplace(anisotropic(cells.space().dim())),
                                   cells);
      const AppendSink<Number> sink = matrix.begin_assembly();
      append_rows(sink, kappa, "local_reuse", Conflict::coloring);
      if (boundary != nullptr)
        append_rows(sink, *boundary, Conflict::coloring);
    }

    /// Checks consolidated rows: lengths, columns, padding, and the sums of
    /// entries in the order in which they stand in the row.
    template <class Number>
    void
    expect_consolidated(const LazyEllMatrix<Number> &lazy)
    {
      const auto lengths       = lengths_of(lazy);
      const auto columns       = columns_of(lazy);
      const auto values        = lazy.values().to_vector();
      const auto result        = lazy.consolidate();
      const auto found_columns = columns_of(result);
      const auto found_values  = result.values().to_vector();
      const auto found_lengths = lengths_of(result);
      const auto from          = [&](const int row, const int k) {
        return ell_place(row, k, lazy.width());
      };
      const auto to = [&](const int row, const int k) {
        return ell_place(row, k, result.width());
      };
      std::size_t longest = 0;
      std::int64_t n      = 0;
      for (int row = 0; row < lazy.n_rows(); ++row)
        {
          std::map<int, Number> sums;
          for (int k = 0; k < lengths[row]; ++k)
            sums[columns[from(row, k)]] += values[from(row, k)];
          ASSERT_EQ(found_lengths[row], static_cast<int>(sums.size()));
          int k = 0;
          for (const auto &[column, value] : sums)
            {
              EXPECT_EQ(found_columns[to(row, k)], column);
              EXPECT_EQ(found_values[to(row, k)], value);
              ++k;
            }
          for (; k < result.width(); ++k)
            {
              EXPECT_EQ(found_columns[to(row, k)], row);
              EXPECT_EQ(found_values[to(row, k)], Number(0));
            }
          longest = std::max(longest, sums.size());
          n += sums.size();
        }
      EXPECT_EQ(result.width(), static_cast<int>(longest));
      EXPECT_EQ(result.n_nonzeros(), n);
      const SparsityPattern a = lazy.pattern(), b = result.pattern();
      EXPECT_EQ(a.row_start, b.row_start);
      EXPECT_EQ(a.columns, b.columns);
    }

    /// Collected rows have sums of the same entries, in double.
    template <class Number>
    void
    check_collected(const Backend backend, const int n_cells)
    {
      const auto space = std::make_shared<const Space>(
        build_space(generated_mesh(2, n_cells, 1, false)));
      const CellData<Number> cells(space, backend);
      LazyEllMatrix<Number> matrix(cells);
      append(matrix, cells);
      const auto lengths = copy_of(backend, matrix.lengths(), matrix.n_rows());
      const auto columns = columns_of(matrix);
      const auto values  = matrix.values().to_vector();
      const SparseMatrix found = collect_rows(matrix, matrix.n_rows());
      EXPECT_EQ(defect(found), "");
      ASSERT_EQ(found.n_rows(), matrix.n_rows());
      for (int row = 0; row < found.n_rows(); ++row)
        {
          std::map<int, double> sums;
          for (int k = 0; k < lengths[row]; ++k)
            {
              const auto place = ell_place(row, k, matrix.width());
              sums[columns[place]] += values[place];
            }
          auto k = found.pattern.row_start[row];
          ASSERT_EQ(found.pattern.row_start[row + 1] - k,
                    static_cast<std::int64_t>(sums.size()));
          for (const auto &[column, value] : sums)
            {
              EXPECT_EQ(found.pattern.columns[k], column);
              EXPECT_EQ(found.values[k], value);
              ++k;
            }
        }
      EXPECT_LT(found.n_nonzeros(), matrix.n_nonzeros());
    }
  } // namespace

  TEST(LazyEll, PlacesOfTwoCells)
  {
    // Two squares side by side share two nodes; the other four have one square.
    const auto space = std::make_shared<const Space>(
      build_space(generated_mesh(1, 2, 1, false)));
    for (const Backend backend : backends())
      {
        const CellData<double> cells(space, backend);
        LazyEllMatrix<double> matrix(cells);
        EXPECT_EQ(matrix.n_rows(), 6);
        EXPECT_EQ(matrix.width(), 8);
        EXPECT_EQ(matrix.n_nonzeros(), 2 * 16);
        EXPECT_EQ(matrix.padding(), 8.);
        EXPECT_EQ(matrix.bytes(), 8u * 32 * (4 + 8) + 6 * 4);
        EXPECT_EQ(matrix.bytes_of_product(), 32u * (4 + 8) + 6 * 4);
        EXPECT_EQ(lengths_of(matrix), std::vector<std::int32_t>(6, 0));
        EXPECT_EQ(matrix.pattern().n_nonzeros(), 0);
        EXPECT_EQ(matrix.consolidate().width(), 0);

        // The second assembly replaces the first one.
        for (int run = 0; run < 2; ++run)
          append(matrix, cells);
        auto lengths = lengths_of(matrix);
        for (int row = 0; row < 6; ++row)
          {
            const auto &dofs = space->cell_dofs;
            EXPECT_EQ(lengths[row],
                      4 * std::count(dofs.begin(), dofs.end(), row));
          }
        std::sort(lengths.begin(), lengths.end());
        EXPECT_EQ(lengths, std::vector<std::int32_t>({4, 4, 4, 4, 8, 8}));
        // A node of one cell sees four columns, one of both cells all six.
        EXPECT_EQ(matrix.pattern().n_nonzeros(), 4 * 4 + 2 * 6);
        EXPECT_EQ(matrix.pattern().max_row_length(), 6);
        expect_consolidated(matrix);
      }
  }

  TEST(LazyEll, FacesHavePlacesToo)
  {
    for (const BoundaryCase &c : boundary_cases())
      {
        const auto space = std::make_shared<const Space>(build_space(c.mesh));
        if (space->n_cells() > 60)
          continue;
        SCOPED_TRACE(c.name);
        for (const Backend backend : backends())
          {
            const CellData<float> cells(space, backend);
            const BoundaryMatrices<float> boundary(*space, c.faces, backend);
            LazyEllMatrix<float> matrix(cells, &boundary.faces());
            append(matrix, cells, &boundary);
            std::vector<std::int32_t> expected(space->n_stored(), 0);
            for (const Space *part : {space.get(), &boundary.faces().space()})
              for (const int dof : part->cell_dofs)
                if (dof < space->n_stored())
                  expected[dof] += part->dofs_per_cell();
            EXPECT_EQ(lengths_of(matrix), expected);
            EXPECT_EQ(matrix.width(),
                      *std::max_element(expected.begin(), expected.end()));
            EXPECT_EQ(matrix.n_nonzeros(),
                      std::accumulate(expected.begin(), expected.end(), 0ll));
            expect_consolidated(matrix);
          }
      }
  }

  TEST(LazyEll, ConsolidatesRowsOfAnyLengthAndOrder)
  {
    // There are places for up to 14 cells of 25 nodes. Rows are empty, full or
    // between; columns of a row are all the same, all different or repeated.
    const auto space =
      std::make_shared<const Space>(build_space(star_mesh(4, 14)));
    const auto check = [&](const auto number, const Backend backend) {
      using Number = std::remove_const_t<decltype(number)>;
      const auto cells =
        std::make_shared<const CellData<Number>>(space, backend);
      const auto A =
        Assembler<Number>("lazy_ell", cells)
          .make_operator(FormData<Number>(laplace(anisotropic()), *cells));
      auto &matrix = dynamic_cast<LazyEllMatrix<Number> &>(A->matrix());
      const int n = matrix.n_rows(), width = matrix.width();
      ASSERT_EQ(width, 14 * 25);
      std::vector<std::int32_t> lengths(n);
      std::vector<int> columns(matrix.values().size());
      for (int row = 0; row < n; ++row)
        {
          lengths[row] = row % 37 == 36 ? width : row * 5 % 60;
          for (int k = 0; k < lengths[row]; ++k)
            columns[ell_place(row, k, width)] =
              row % 3 == 0   ? row
              : row % 3 == 1 ? (row + 7 * k) % n
                             : (k * k * 31 + row) % 23 * (n / 23);
        }
      const AppendSink<Number> sink = matrix.begin_assembly();
      write(backend, sink.lengths, lengths);
      write(backend, sink.columns, columns);
      matrix.values().copy_from(
        random_values<Number>(matrix.values().size(), 5));
      expect_consolidated(matrix);

      // If a row's column repeats, the diagonal is the sum of all entries.
      const auto first = matrix.consolidate();
      Vector<Number> d = A->make_vector();
      A->diagonal(d);
      const auto diagonal = owned_values(d);
      const auto found    = columns_of(first);
      const auto sums     = first.values().to_vector();
      const auto unique   = lengths_of(first);
      for (int row = 0; row < n; ++row)
        {
          Number expected = 0;
          for (int k = 0; k < unique[row]; ++k)
            if (const auto at = ell_place(row, k, first.width());
                found[at] == row)
              expected = sums[at];
          EXPECT_EQ(diagonal[row], expected);
        }
    };
    for (const Backend backend : backends())
      {
        check(double(), backend);
        check(float(), backend);
      }
  }

  TEST(LazyEll, ConsolidatedPlacesAreThoseOfThePattern)
  {
    for (const PreparedCase &c : prepared_cases())
      {
        SCOPED_TRACE(c.name);
        for (const Backend backend : backends())
          {
            const CellData<float> cells(c.space, backend);
            LazyEllMatrix<float> lazy(cells);
            append(lazy, cells);
            const EllMatrix<float> found = lazy.consolidate(),
                                   expected(make_csr_pattern(cells));
            EXPECT_EQ(found.n_nonzeros(), expected.n_nonzeros());
            EXPECT_EQ(found.width(), expected.width());
            EXPECT_EQ(found.bytes(), expected.bytes());
            EXPECT_EQ(lengths_of(found), lengths_of(expected));
            EXPECT_EQ(columns_of(found), columns_of(expected));
          }
      }
  }

  TEST(LazyEll, CollectedRowsAddUpRepeatedColumns)
  {
    for (const Backend backend : backends())
      for (const int n_cells : {2, 31, 33})
        {
          check_collected<double>(backend, n_cells);
          check_collected<float>(backend, n_cells);
        }
  }

  TEST(LazyEll, MemoryThatDoesNotExistIsAnError)
  {
    EllRows rows;
    rows.n_rows = rows.width = std::numeric_limits<std::int32_t>::max();
    const auto places        = rows.width * ell_padded_rows(rows.n_rows);
    EXPECT_EQ(places / rows.width, ell_padded_rows(rows.n_rows));
    for (const Backend backend : backends())
      EXPECT_THROW(Array<double>(backend, places), DeviceError);
  }
} // namespace tessera
