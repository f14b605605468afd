#include <tessera/base/simd.h>
#include <tessera/space/geometry.h>

#include "cell_evaluator_kernels.h"

namespace tessera
{
  namespace
  {
    constexpr int pitch = CellEvaluator::lanes; ///< of entries of a batch

    /// out[o][q][s] = sum over i of table[i][q] in[o][i][s]; `n` is the number
    /// of i if `fixed` is 0.
    template <class Value, int fixed>
    TESSERA_HOST void
    contract(const double *const table, const int n_of_table, const int m,
             const int n_outer, const int n_inner, const double *const in,
             double *const out)
    {
      const int n = fixed > 0 ? fixed : n_of_table;
      for (int o = 0; o < n_outer; ++o)
        for (int q = 0; q < m; ++q)
          for (int s = 0; s < n_inner; ++s)
            {
              Value sum(0.);
              for (int i = 0; i < n; ++i)
                sum += table[i * m + q] *
                       Value::load(in + ((o * n + i) * n_inner + s) * pitch);
              sum.store(out + ((o * m + q) * n_inner + s) * pitch);
            }
    }

    template <class Value>
    TESSERA_HOST void
    contract(const std::vector<double> &table, const InterpolationTables &of,
             const int part, const int n_outer, const int n_inner,
             const double *const in, double *const out)
    {
      const double *const entries = table.data() + part * of.n * of.m;
      const auto run              = [&](const auto fixed) {
        contract<Value, decltype(fixed)::value>(entries, of.n, of.m, n_outer,
                                                n_inner, in, out);
      };
      switch (of.n)
        {
          case 2:
            return run(std::integral_constant<int, 2>());
          case 3:
            return run(std::integral_constant<int, 3>());
          case 4:
            return run(std::integral_constant<int, 4>());
          case 5:
            return run(std::integral_constant<int, 5>());
          default:
            return run(std::integral_constant<int, 0>());
        }
    }

    template <class Value>
    TESSERA_HOST void
    interpolate(const InterpolationTables &t, const double *const nodes,
                double *const values, double *const gradients, double *scratch)
    {
      const int n = t.n, m = t.m, dim = dimension(t.cell_type);
      const auto &v = t.values, &g = t.gradients;
      const auto take = [&](const int size) {
        double *const result = scratch;
        scratch += size * pitch;
        return result;
      };
      if (is_simplex(t.cell_type))
        {
          if (values != nullptr)
            contract<Value>(v, t, 0, 1, 1, nodes, values);
          for (int d = 0; d < dim; ++d)
            contract<Value>(g, t, d, 1, 1, nodes, gradients + d * m * pitch);
        }
      else if (dim == 2)
        {
          double *const of_v = take(n * m), *const of_g = take(n * m);
          contract<Value>(v, t, 0, n, 1, nodes, of_v);
          contract<Value>(g, t, 0, n, 1, nodes, of_g);
          if (values != nullptr)
            contract<Value>(v, t, 0, 1, m, of_v, values);
          contract<Value>(v, t, 0, 1, m, of_g, gradients);
          contract<Value>(g, t, 0, 1, m, of_v, gradients + m * m * pitch);
        }
      else
        {
          const int nq       = m * m * m;
          double *const of_v = take(n * n * m), *const of_g = take(n * n * m);
          double *const of_vv = take(n * m * m), *const of_gv = take(n * m * m),
                        *const of_vg = take(n * m * m);
          contract<Value>(v, t, 0, n * n, 1, nodes, of_v);
          contract<Value>(g, t, 0, n * n, 1, nodes, of_g);
          contract<Value>(v, t, 0, n, m, of_v, of_vv);
          contract<Value>(v, t, 0, n, m, of_g, of_gv);
          contract<Value>(g, t, 0, n, m, of_v, of_vg);
          if (values != nullptr)
            contract<Value>(v, t, 0, 1, m * m, of_vv, values);
          contract<Value>(v, t, 0, 1, m * m, of_gv, gradients);
          contract<Value>(v, t, 0, 1, m * m, of_vg, gradients + nq * pitch);
          contract<Value>(g, t, 0, 1, m * m, of_vv, gradients + 2 * nq * pitch);
        }
    }

    template <int dim, class Value>
    TESSERA_HOST void
    map_gradients(const int n_components, const std::vector<double> &weights,
                  const double *const jacobians, double *const gradients,
                  double *const dx)
    {
      const int nq = static_cast<int>(weights.size());
      for (int q = 0; q < nq; ++q)
        {
          Value j[dim][dim], c[dim][dim];
          for (int k = 0; k < dim; ++k)
            for (int d = 0; d < dim; ++d)
              j[k][d] =
                Value::load(jacobians + ((k * dim + d) * nq + q) * pitch);
          cofactors(j, c);
          const Value det     = determinant(j, c);
          const Value inverse = Value(1.) / det;
          (weights[q] * det).store(dx + q * pitch);
          for (int f = 0; f < n_components; ++f)
            {
              double *const at = gradients + (f * dim * nq + q) * pitch;
              Value g[dim];
              for (int d = 0; d < dim; ++d)
                g[d] = Value::load(at + d * nq * pitch);
              for (int k = 0; k < dim; ++k)
                {
                  Value sum = c[k][0] * g[0];
                  for (int d = 1; d < dim; ++d)
                    sum += c[k][d] * g[d];
                  (sum * inverse).store(at + k * nq * pitch);
                }
            }
        }
    }
  } // namespace

  // A batch consists of several vectors if these are short.
  template <class Target, IfHost<Target>>
  void
  interpolate_on(Target, const InterpolationTables &tables,
                 const double *const nodes, double *const values,
                 double *const gradients, double *const scratch)
  {
    constexpr int width = Target::template lanes<double>;
    for (int lane = 0; lane < pitch; lane += width)
      interpolate<Simd<double, width>>(
        tables, nodes + lane, values != nullptr ? values + lane : nullptr,
        gradients + lane, scratch + lane);
  }

  template <class Target, IfHost<Target>>
  void
  map_gradients_on(Target, const int dim, const int n_components,
                   const std::vector<double> &weights,
                   const double *const jacobians, double *const gradients,
                   double *const dx)
  {
    constexpr int width = Target::template lanes<double>;
    using Value         = Simd<double, width>;
    for (int lane = 0; lane < pitch; lane += width)
      if (dim == 2)
        map_gradients<2, Value>(n_components, weights, jacobians + lane,
                                gradients + lane, dx + lane);
      else
        map_gradients<3, Value>(n_components, weights, jacobians + lane,
                                gradients + lane, dx + lane);
  }

  template void
  interpolate_on(TESSERA_ISA, const InterpolationTables &, const double *,
                 double *, double *, double *);
  template void
  map_gradients_on(TESSERA_ISA, int, int, const std::vector<double> &,
                   const double *, double *, double *);
} // namespace tessera
