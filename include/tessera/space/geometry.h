#pragma once

#include <tessera/base/attributes.h>
#include <tessera/base/symmetric.h>

#include <type_traits>

// The classes in this header are maps from the reference cell to a cell. Each
// has a function `jacobian(element, q..., j)`, which sets
// j[i][k] = dx_i / dxi_k at a quadrature point. On cells of tensor type the
// point is given by its indices (q0, q1[, q2]), on others by its number.
namespace tessera
{
  /// Returns a / b. On the device, double precision avoids the slow path of
  /// division for results that are not normal numbers; the error is below 2
  /// ulp.
  template <class T>
  TESSERA_HOST_DEVICE T
  quotient(const T a, const T b)
  {
    return a / b;
  }

#ifdef __CUDA_ARCH__
  __device__ __forceinline__ double
  quotient(const double a, const double b)
  {
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(b));
    r = fma(r, fma(-b, r, 1.), r);
    r = fma(r, fma(-b, r, 1.), r);
    return a * r;
  }
#endif

  /// The bilinear map of a quadrilateral, computed from its four vertices:
  /// x(xi) = a + b xi_0 + c xi_1 + d xi_0 xi_1.
  template <class T>
  struct BilinearGeometry
  {
    T b[2], c[2], d[2];

    TESSERA_HOST_DEVICE explicit BilinearGeometry(const T (&vertex)[4][2])
    {
      TESSERA_UNROLL
      for (int k = 0; k < 2; ++k)
        {
          b[k] = vertex[1][k] - vertex[0][k];
          c[k] = vertex[2][k] - vertex[0][k];
          d[k] = vertex[3][k] - vertex[2][k] - b[k];
        }
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1,
             T (&j)[2][2]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < 2; ++k)
        {
          j[k][0] = b[k] + d[k] * element.points[q1];
          j[k][1] = c[k] + d[k] * element.points[q0];
        }
    }
  };

  /// The coefficients of a trilinear map without the constant one, by what they
  /// multiply: x = x_0 + f_0 xi_0 + f_1 xi_1 + f_01 xi_0 xi_1 + f_2 xi_2 + ...
  enum MapEntry
  {
    map_0,
    map_1,
    map_01,
    map_2,
    map_02,
    map_12,
    map_012,
    n_map_entries
  };

  /// Sets f to these coefficients for one coordinate of the eight vertices.
  template <class T>
  TESSERA_HOST_DEVICE void
  trilinear_coefficients(const T (&x)[8], T (&f)[n_map_entries])
  {
    f[map_0]   = x[1] - x[0];
    f[map_1]   = x[2] - x[0];
    f[map_01]  = x[3] - x[2] - f[map_0];
    f[map_2]   = x[4] - x[0];
    f[map_02]  = x[5] - x[4] - f[map_0];
    f[map_12]  = x[6] - x[4] - f[map_1];
    f[map_012] = x[7] - x[6] - (x[5] - x[4]) - f[map_01];
  }

  /// The trilinear map of a hexahedron on the row of points (all q0, q1, q2):
  /// there, dx/dxi_0 is constant, and the other derivatives are linear in xi_0.
  /// `coefficient(e, k)` returns entry e of the map for coordinate k.
  template <class T>
  struct TrilinearRow
  {
    T along[3], start[3][2], slope[3][2];

    template <class Number, class Coefficient>
    TESSERA_HOST_DEVICE
    TrilinearRow(const Number xi_1, const Number xi_2,
                 const Coefficient &coefficient)
    {
      TESSERA_UNROLL
      for (int k = 0; k < 3; ++k)
        {
          const T f_02 = coefficient(map_02, k), f_12 = coefficient(map_12, k),
                  f_012 = coefficient(map_012, k);
          slope[k][0]   = coefficient(map_01, k) + xi_2 * f_012;
          slope[k][1]   = f_02 + xi_1 * f_012;
          start[k][0]   = coefficient(map_1, k) + xi_2 * f_12;
          start[k][1]   = coefficient(map_2, k) + xi_1 * f_12;
          along[k] = coefficient(map_0, k) + xi_2 * f_02 + xi_1 * slope[k][0];
        }
    }

    template <class Number>
    TESSERA_HOST_DEVICE void
    jacobian(const Number xi_0, T (&j)[3][3]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < 3; ++k)
        {
          j[k][0] = along[k];
          j[k][1] = start[k][0] + xi_0 * slope[k][0];
          j[k][2] = start[k][1] + xi_0 * slope[k][1];
        }
    }
  };

  /// The trilinear map of a hexahedron, computed from its eight vertices.
  template <class T>
  struct TrilinearGeometry
  {
    T map[n_map_entries][3];

    TESSERA_HOST_DEVICE explicit TrilinearGeometry(const T (&vertex)[8][3])
    {
      TESSERA_UNROLL
      for (int k = 0; k < 3; ++k)
        {
          T x[8], f[n_map_entries];
          TESSERA_UNROLL
          for (int v = 0; v < 8; ++v)
            x[v] = vertex[v][k];
          trilinear_coefficients(x, f);
          TESSERA_UNROLL
          for (int e = 0; e < n_map_entries; ++e)
            map[e][k] = f[e];
        }
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1, const int q2,
             T (&j)[3][3]) const
    {
      TrilinearRow<T>(element.points[q1], element.points[q2],
                      [this](const int e, const int k) { return map[e][k]; })
        .jacobian(element.points[q0], j);
    }
  };

  /// The linear map of a simplex, computed from its dim + 1 vertices.
  template <int dim, class T>
  struct LinearGeometry
  {
    T edge[dim][dim];

    TESSERA_HOST_DEVICE explicit LinearGeometry(const T (&vertex)[dim + 1][dim])
    {
      TESSERA_UNROLL
      for (int k = 0; k < dim; ++k)
        TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        edge[k][d] = vertex[d + 1][k] - vertex[0][k];
    }

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &, int, T (&j)[dim][dim]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < dim; ++k)
        TESSERA_UNROLL
      for (int d = 0; d < dim; ++d)
        j[k][d] = edge[k][d];
    }
  };

  template <class E, class T>
  using VertexGeometry = std::conditional_t<
    E::simplex, LinearGeometry<E::dim, T>,
    std::conditional_t<E::dim == 2, BilinearGeometry<T>, TrilinearGeometry<T>>>;

  /// Reads stored Jacobians, [n_batches][n_entries][lanes] in memory. There is
  /// one per quadrature point, or one per cell if `point_stride` is 0.
  template <class E, class Cells, class Number>
  struct StoredGeometry
  {
    const Cells &cell;
    const Number *jacobians;
    int n_entries;
    int point_stride;

    template <class Tables, class T>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &, const int q, T (&j)[E::dim][E::dim]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < E::dim; ++k)
        TESSERA_UNROLL
      for (int d = 0; d < E::dim; ++d)
        j[k][d] =
          cell.load(jacobians, n_entries, q * point_stride + k * E::dim + d);
    }

    template <class Tables, class T>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1,
             T (&j)[E::dim][E::dim]) const
    {
      jacobian(element, q1 * E::n1 + q0, j);
    }

    template <class Tables, class T>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1, const int q2,
             T (&j)[E::dim][E::dim]) const
    {
      jacobian(element, (q2 * E::n1 + q1) * E::n1 + q0, j);
    }
  };

  /// Computes the cofactors c[i][k] = d det J / d j[i][k], so that
  /// J^-T = c / det J.
  template <class T>
  TESSERA_HOST_DEVICE void
  cofactors(const T (&j)[2][2], T (&c)[2][2])
  {
    c[0][0] = j[1][1];
    c[0][1] = -j[1][0];
    c[1][0] = -j[0][1];
    c[1][1] = j[0][0];
  }

  template <class T>
  TESSERA_HOST_DEVICE void
  cofactors(const T (&j)[3][3], T (&c)[3][3])
  {
    TESSERA_UNROLL
    for (int i = 0; i < 3; ++i)
      {
        const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        TESSERA_UNROLL
        for (int k = 0; k < 3; ++k)
          {
            const int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            c[i][k] = j[i1][k1] * j[i2][k2] - j[i1][k2] * j[i2][k1];
          }
      }
  }

  /// Returns det J from J and its cofactors.
  template <int dim, class T>
  TESSERA_HOST_DEVICE T
  determinant(const T (&j)[dim][dim], const T (&c)[dim][dim])
  {
    T det = j[0][0] * c[0][0];
    TESSERA_UNROLL
    for (int k = 1; k < dim; ++k)
      det += j[0][k] * c[0][k];
    return det;
  }

  template <int dim, class T>
  TESSERA_HOST_DEVICE T
  determinant(const T (&j)[dim][dim])
  {
    T c[dim][dim];
    cofactors(j, c);
    return determinant(j, c);
  }
} // namespace tessera
