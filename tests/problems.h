#pragma once

#include <tessera/forms/laplace.h>
#include <tessera/matrix/sparsity_pattern.h>
#include <tessera/operators/cell_operator.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/row_operator.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "meshes.h"

/// Operators with data that tell indices apart, and the results of a dense
/// matrix for them.
namespace tessera::test
{
  /// Returns numbers in [-1,1), the same for the same seed.
  template <class Number>
  std::vector<Number>
  random_values(const std::size_t n, const unsigned int seed = 1)
  {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Number> values(n);
    for (Number &value : values)
      value = static_cast<Number>(uniform(generator));
    return values;
  }

  /// Returns a copy of values in the memory of a backend.
  template <class T>
  std::vector<T>
  copy_of(const Backend backend, const T *const from, const std::size_t n)
  {
    std::vector<T> values(n);
    if (n == 0)
      return values;
    if (backend == Backend::host)
      std::copy_n(from, n, values.begin());
    else
      runtime::copy(values.data(), from, sizeof(T) * n,
                    runtime::Copy::device_to_host);
    return values;
  }

  /// Returns a vector with the given owned entries and a tail of zeros.
  template <class Number>
  Vector<Number>
  make_vector(const Operator<Number> &A, std::vector<Number> owned)
  {
    Vector<Number> vector = A.make_vector();
    owned.resize(vector.size(), Number(0));
    vector.copy_from(owned);
    return vector;
  }

  template <class Number>
  std::vector<Number>
  owned_values(const Vector<Number> &vector)
  {
    std::vector<Number> values = vector.to_vector();
    values.resize(vector.n_owned());
    return values;
  }

  /// Returns a coefficient whose components all differ.
  inline Coefficient
  anisotropic(const int dim = 2)
  {
    if (dim == 3)
      return Coefficient::tensor(2., 0.3, -0.2, 0.7, 0.1, 1.4);
    return Coefficient::tensor(2., 0.3, 0.7);
  }

  template <class Number>
  std::unique_ptr<Operator<Number>>
  make_operator_on(const Backend backend, const std::string &name,
                   const Connectivity &mesh,
                   const Coefficient &kappa = anisotropic())
  {
    AssemblyOptions options;
    options.conflict = Conflict::coloring;
    return make_operator<Number>(
      name,
      std::make_shared<const CellData<Number>>(
        std::make_shared<const Space>(build_space(mesh)), backend),
      laplace(kappa), options);
  }

  /// A symmetric positive definite matrix, row by row.
  class DenseMatrix
  {
  public:
    /// Makes the matrix from products of an operator with sums of those e_j
    /// whose columns have no row in common, so that fibers run tens of products
    /// instead of one for every column. Where hanging nodes, ghosts or
    /// components hide the pattern, every e_j has its product.
    template <class Number>
    explicit DenseMatrix(const Operator<Number> &A)
      : n(A.n_owned()), values(std::size_t(n) * n)
    {
      std::vector<std::vector<int>> rows_of(n);
      const SparsityPattern pattern = pattern_of(A);
      if (pattern.n_rows() == n)
        {
          for (int i = 0; i < n; ++i)
            for (auto k = pattern.row_start[i]; k < pattern.row_start[i + 1];
                 ++k)
              if (pattern.columns[k] < n)
                rows_of[pattern.columns[k]].push_back(i);
        }
      else
        for (std::vector<int> &all : rows_of)
          {
            all.resize(n);
            std::iota(all.begin(), all.end(), 0);
          }
      Vector<Number> y = A.make_vector();
      std::vector<char> done(n, 0);
      for (int first = 0; first < n; ++first)
        if (!done[first])
          {
            std::vector<Number> sum(n, Number(0));
            std::vector<int> column_of(n, -1);
            for (int j = first; j < n; ++j)
              if (!done[j] && std::all_of(rows_of[j].begin(), rows_of[j].end(),
                                          [&](const int i) {
                                            return column_of[i] == -1 ||
                                                   column_of[i] == j;
                                          }))
                {
                  done[j] = 1;
                  sum[j]  = Number(1);
                  for (const int i : rows_of[j])
                    column_of[i] = j;
                }
            A.vmult(y, make_vector(A, sum));
            const std::vector<Number> product = owned_values(y);
            for (int i = 0; i < n; ++i)
              if (column_of[i] != -1)
                values[std::size_t(n) * i + column_of[i]] = product[i];
              else
                EXPECT_EQ(product[i], Number(0));
          }
    }

    double
    operator()(const int i, const int j) const
    {
      return values[std::size_t(n) * i + j];
    }

    /// Inverts by Gauss-Jordan elimination.
    DenseMatrix
    inverse() const
    {
      DenseMatrix a = *this, b = *this;
      std::fill(b.values.begin(), b.values.end(), 0.);
      for (int i = 0; i < n; ++i)
        b.values[std::size_t(n) * i + i] = 1;
      for (int k = 0; k < n; ++k)
        {
          const double pivot = 1 / a(k, k);
          // Row k of b has zeros after entry k, and row k of a before it.
          double *const a_k = &a.values[std::size_t(n) * k];
          double *const b_k = &b.values[std::size_t(n) * k];
          for (int j = k; j < n; ++j)
            a_k[j] *= pivot;
          for (int j = 0; j <= k; ++j)
            b_k[j] *= pivot;
          for (int i = 0; i < n; ++i)
            {
              const double factor = a(i, k);
              if (i == k || factor == 0)
                continue;
              double *const a_i = &a.values[std::size_t(n) * i];
              double *const b_i = &b.values[std::size_t(n) * i];
              for (int j = k; j < n; ++j)
                a_i[j] -= factor * a_k[j];
              for (int j = 0; j <= k; ++j)
                b_i[j] -= factor * b_k[j];
            }
        }
      return b;
    }

    template <class Number>
    std::vector<double>
    times(const std::vector<Number> &x) const
    {
      std::vector<double> y(n, 0.);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          y[i] += (*this)(i, j) * x[j];
      return y;
    }

    /// Returns the Frobenius norm, which bounds the Euclidean norm.
    double
    norm() const
    {
      double sum = 0;
      for (const double value : values)
        sum += value * value;
      return std::sqrt(sum);
    }

  private:
    /// Returns the pattern of the stored rows, or of rows made from cells.
    template <class Number>
    static SparsityPattern
    pattern_of(const Operator<Number> &A)
    {
      if (const auto *const rows =
            dynamic_cast<const RowOperator<Number> *>(&A))
        return rows->matrix().pattern();
      const auto *const cells = dynamic_cast<const CellOperator<Number> *>(&A);
      if (cells == nullptr || cells->exchanges_tail())
        return {};
      return make_sparsity_pattern(cells->cell_data().space());
    }

    int n;
    std::vector<double> values;
  };

  template <class Number>
  double
  norm(const std::vector<Number> &x)
  {
    double sum = 0;
    for (const Number value : x)
      sum += double(value) * double(value);
    return std::sqrt(sum);
  }

  template <class A, class B>
  double
  distance(const std::vector<A> &a, const std::vector<B> &b)
  {
    std::vector<double> difference(a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
      difference[i] = double(a[i]) - double(b[i]);
    return norm(difference);
  }
} // namespace tessera::test
