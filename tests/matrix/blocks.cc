#include "rows.h"

#include <tessera/base/error.h>
#include <tessera/matrix/elimination.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/csr.h>
#include <tessera/operators/ell.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/sell.h>
#include <tessera/preconditioners/ssor.h>

// Matrices whose b x b entries share a column index have the rows, products and
// diagonals of the matrix with an index for every entry.
namespace tessera
{
  using namespace test;

  namespace
  {
    /// The rows and columns of all components.
    SparsityPattern
    expanded(const SparsityPattern &nodes, const int b)
    {
      SparsityPattern result;
      result.row_start = {0};
      for (int row = 0; row < nodes.n_rows() * b; ++row)
        {
          for (auto k = nodes.row_start[row / b];
               k < nodes.row_start[row / b + 1]; ++k)
            for (int c = 0; c < b; ++c)
              result.columns.push_back(nodes.columns[k] * b + c);
          result.row_start.push_back(result.columns.size());
        }
      return result;
    }

    CsrPattern
    of_blocks(const SparsityPattern &nodes, const int b, const Backend backend)
    {
      CsrPattern pattern(nodes, backend);
      pattern.block = b;
      return pattern;
    }

    template <class Number>
    std::vector<std::unique_ptr<RowOperator<Number>>>
    operators(const SparsityPattern &nodes, const int b, const int n_tail,
              const Backend backend)
    {
      const auto pattern = [&]() { return of_blocks(nodes, b, backend); };
      std::vector<std::unique_ptr<RowOperator<Number>>> result;
      result.push_back(
        std::make_unique<Csr<Number>>(CsrMatrix<Number>(pattern()), n_tail));
      result.push_back(std::make_unique<Csr<Number>>(
        CsrMatrix<Number>(pattern(), true), n_tail));
      if (backend == Backend::cuda)
        for (const int threads : {staged_rows, 1, 4, 32})
          result.push_back(std::make_unique<Csr<Number>>(
            CsrMatrix<Number>(pattern()), n_tail, threads));
      result.push_back(
        std::make_unique<Ell<Number>>(EllMatrix<Number>(pattern()), n_tail));
      for (const SellShape &shape :
           {SellShape(), SellShape{8, 16}, SellShape{32, SellShape::all_rows},
            SellShape{16, 1, 1, 0, true}})
        result.push_back(std::make_unique<Sell<Number>>(
          SellMatrix<Number>(pattern(), shape), n_tail));
      return result;
    }

    template <class Number>
    void
    check(const Rows &rows, const int b)
    {
      const SparsityPattern nodes = make_pattern(rows);
      const RowProblem<Number> problem(expanded(nodes, b), rows.n_columns * b);
      for (const Backend backend : backends())
        {
          const Array<std::int64_t> start(backend, problem.pattern.row_start);
          const Array<Number> values(backend, problem.a);
          const CsrPattern single =
            without_blocks(of_blocks(nodes, b, backend));
          EXPECT_EQ(single.row_start.to_vector(), problem.pattern.row_start);
          EXPECT_EQ(single.columns.to_vector(), problem.pattern.columns);
          EXPECT_EQ(single.max_row_length, problem.pattern.max_row_length());
          for (const auto &A :
               operators<Number>(nodes, b, problem.n_tail, backend))
            {
              SCOPED_TRACE(rows.name + ", blocks of " + std::to_string(b) +
                           ", " + A->name() + ", " + to_string(backend));
              place_values(A->matrix(), start, values);
              A->values_changed();
              problem.check(*A);
              const SparsityPattern found = A->matrix().pattern();
              EXPECT_EQ(found.row_start, problem.pattern.row_start);
              EXPECT_EQ(found.columns, problem.pattern.columns);
            }
        }
    }
  } // namespace

  TEST(Blocks, ProductsAreThoseOfSingleEntries)
  {
    for (const Rows &rows : all_rows())
      {
        if (is_watched() && rows.lengths.size() * rows.n_columns > 20000)
          continue;
        for (const int b : {2, 3})
          {
            check<double>(rows, b);
            if (!is_watched())
              check<float>(rows, b);
          }
      }
  }

  // For tools that find races.
  TEST(Blocks, ProductsOfFewRowsAreThoseOfSingleEntries)
  {
    for (const Rows &rows : few_rows())
      for (const int b : {2, 3})
        check<float>(rows, b);
  }

  // There is one index for b x b entries.
  TEST(Blocks, IndicesAreShared)
  {
    const SparsityPattern nodes = make_pattern({"", 70, lengths(64, 9, 9)});
    const std::int64_t n        = nodes.n_nonzeros();
    for (const Backend backend : backends())
      {
        const CsrMatrix<double> csr(of_blocks(nodes, 3, backend));
        const EllMatrix<double> ell(of_blocks(nodes, 3, backend));
        const SellMatrix<double> sell(of_blocks(nodes, 3, backend));
        EXPECT_EQ(csr.n_column_indices(), std::size_t(n));
        EXPECT_EQ(ell.n_column_indices(), std::size_t(n));
        EXPECT_EQ(sell.n_column_indices(), sell.values().size() / 9);
        EXPECT_EQ(csr.bytes_of_product() - csr.index_bytes(),
                  std::size_t(n * (9 * 8 + 4)));
        EXPECT_EQ(sell.bytes_of_product() - sell.index_bytes(),
                  std::size_t(n * (9 * 8 + 4)));
      }
  }

  TEST(Blocks, OneLanePerRow)
  {
    const SparsityPattern nodes = make_pattern({"", 70, lengths(64, 9, 9)});
    for (const Backend backend : backends())
      {
        EXPECT_THROW(
          SellMatrix<double>(of_blocks(nodes, 2, backend), SellShape{32, 1, 2}),
          ParameterError);
        if (backend == Backend::cuda)
          EXPECT_THROW(
            Csr<double>(CsrMatrix<double>(of_blocks(nodes, 2, backend)), 12,
                        streamed_rows),
            ParameterError);
        // The factory then takes single entries.
        AssemblyOptions options;
        options.storage = {{"Slice threads per row", "2"}};
        const auto A    = make_row_operator<double>(
          "sell", of_blocks(nodes, 2, backend), 12, options);
        EXPECT_EQ(A->matrix().blocks().size, 1);
        EXPECT_EQ(A->n_owned(), 128);
        // And where they are asked for.
        for (const bool single : {false, true})
          for (const std::string name : {"csr", "ell", "sell"})
            {
              AssemblyOptions either;
              either.single_entries = single;
              const auto B          = make_row_operator<double>(
                name, of_blocks(nodes, 2, backend), 12, either);
              EXPECT_EQ(B->matrix().blocks().size, single ? 1 : 2) << name;
            }
      }
  }

  // A symmetric matrix with a dominant diagonal, as blocks and as entries.
  TEST(Blocks, SsorAndEliminationSeeTheSameMatrix)
  {
    const int n = 45, b = 3;
    SparsityPattern nodes;
    nodes.row_start = {0};
    for (int row = 0; row < n; ++row)
      {
        for (const int column : {row - 7, row - 1, row, row + 1, row + 7})
          if (column >= 0 && column < n)
            nodes.columns.push_back(column);
        nodes.row_start.push_back(nodes.columns.size());
      }
    const SparsityPattern single = expanded(nodes, b);
    std::vector<double> values;
    for (int row = 0; row < n * b; ++row)
      for (auto k = single.row_start[row]; k < single.row_start[row + 1]; ++k)
        values.push_back(single.columns[k] == row
                           ? 20
                           : 0.1 * ((row + single.columns[k]) % 7 - 3));
    std::vector<unsigned char> constrained(n * b, 0);
    for (int i = 0; i < n * b; i += 5)
      constrained[i] = 1;
    for (const Backend backend : backends())
      {
        std::vector<std::vector<double>> applied, right, products;
        for (const bool blocks : {true, false})
          {
            CsrPattern pattern = of_blocks(nodes, b, backend);
            if (!blocks)
              pattern = without_blocks(std::move(pattern));
            Csr<double> A(CsrMatrix<double>(std::move(pattern)), 1);
            place_values(A.matrix(),
                         Array<std::int64_t>(backend, single.row_start),
                         Array<double>(backend, values));
            auto x = make_vector(A, random_values<double>(n * b, 3));
            auto y = A.make_vector(), g = A.make_vector();
            Ssor<double>(A, 1.2).apply(y, x, {});
            applied.push_back(owned_values(y));
            g.copy_from(random_values<double>(n * b + 1, 5));
            zero_rows_and_columns(
              A.matrix(), Array<unsigned char>(backend, constrained), g, x);
            right.push_back(owned_values(x));
            A.vmult(y, g);
            products.push_back(owned_values(y));
          }
        EXPECT_EQ(applied[0], applied[1]);
        EXPECT_EQ(right[0], right[1]);
        for (int i = 0; i < n * b; ++i)
          EXPECT_NEAR(products[0][i], products[1][i], 1e-13);
      }
  }
} // namespace tessera
