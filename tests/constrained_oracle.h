#pragma once

#include "form_oracle.h"

#include <cmath>
#include <map>

// Dense cell matrices with hanging nodes and given components: the oracle of
// M C^T A C M + (1 - M). C computes hanging entries from others, and M is 0 at
// given components.
namespace tessera::test
{
  struct ConstrainedOracle
  {
    const Space &space;
    int n_components;
    std::vector<std::vector<double>> matrices; ///< [cell][entry][entry]

    explicit ConstrainedOracle(const Oracle &oracle)
      : space(oracle.space), n_components(1)
    {
      for (int cell = 0; cell < space.n_cells(); ++cell)
        matrices.push_back(oracle.cell_matrix(cell));
    }

    explicit ConstrainedOracle(const FormOracle &oracle)
      : space(oracle.space), n_components(oracle.n_components),
        matrices(space.n_cells())
    {
      const std::size_t n = n_entries();
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          matrices[cell].resize(n * n);
          oracle.for_each_point(
            cell, [&](const PointAt &point, const double jxw,
                      const std::vector<FunctionAt> &shape) {
              for (std::size_t k = 0; k < n * n; ++k)
                matrices[cell][k] +=
                  jxw * oracle.integrand(point, shape[k % n], shape[k / n]);
            });
        }
    }

    /// Computes y = A x on owned entries, and the magnitude that bounds its
    /// rounding.
    void
    vmult(std::vector<double> x, std::vector<double> &y,
          std::vector<double> &scale) const
    {
      const LinearConstraints &c    = space.hanging;
      const std::vector<double> all = x;
      for (const int i : space.fixed)
        x[i] = 0;
      x.resize(std::size_t(space.n_local()) * n_components, 0.);
      for (int k = 0; k < c.size(); ++k)
        for (std::int64_t m = c.start[k]; m < c.start[k + 1]; ++m)
          x[c.entry[k]] += c.weight[m] * x[c.source[m]];
      y.assign(x.size(), 0.);
      scale = y;
      for_each_entry([&](const int i, const int j, const double a) {
        y[i] += a * x[j];
        scale[i] += std::abs(a * x[j]);
      });
      for (int k = 0; k < c.size(); ++k)
        for (std::int64_t m = c.start[k]; m < c.start[k + 1]; ++m)
          {
            y[c.source[m]] += c.weight[m] * y[c.entry[k]];
            scale[c.source[m]] += std::abs(c.weight[m]) * scale[c.entry[k]];
          }
      for (const int i : space.fixed)
        {
          y[i]     = all[i];
          scale[i] = std::abs(all[i]);
        }
      y.resize(std::size_t(space.n_owned) * n_components);
      scale.resize(y.size());
    }

    /// Computes the diagonal of A. Every entry of a cell matrix adds to the
    /// entries of which its row and its column are a part.
    void
    diagonal(std::vector<double> &d, std::vector<double> &scale) const
    {
      d.assign(std::size_t(space.n_local()) * n_components, 0.);
      scale = d;
      // An entry consists of itself or, if it hangs, of the entries that it
      // follows from.
      const LinearConstraints &c = space.hanging;
      std::vector<std::map<int, double>> parts(d.size());
      for (std::size_t i = 0; i < d.size(); ++i)
        parts[i][int(i)] = 1;
      for (int k = 0; k < c.size(); ++k)
        {
          parts[c.entry[k]].clear();
          for (std::int64_t m = c.start[k]; m < c.start[k + 1]; ++m)
            parts[c.entry[k]][c.source[m]] += c.weight[m];
        }
      for_each_entry([&](const int i, const int j, const double a) {
        for (const auto &[of, weight] : parts[i])
          {
            const auto other = parts[j].find(of);
            if (other == parts[j].end())
              continue;
            d[of] += weight * other->second * a;
            scale[of] += std::abs(weight * other->second * a);
          }
      });
      for (const int i : space.fixed)
        d[i] = scale[i] = 1;
      d.resize(std::size_t(space.n_owned) * n_components);
      scale.resize(d.size());
    }

  private:
    std::size_t
    n_entries() const
    {
      return std::size_t(space.dofs_per_cell()) * n_components;
    }

    template <class Work>
    void
    for_each_entry(const Work &work) const
    {
      const int n = static_cast<int>(n_entries()), b = n_components;
      for (int cell = 0; cell < space.n_cells(); ++cell)
        {
          const int *dofs = &space.cell_dofs[cell * space.dofs_per_cell()];
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              work(dofs[i / b] * b + i % b, dofs[j / b] * b + j % b,
                   matrices[cell][i * n + j]);
        }
    }
  };
} // namespace tessera::test
