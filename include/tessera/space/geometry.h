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

  /// The trilinear map of a hexahedron on the line of points (q0, q1, all q2).
  /// On this line, dx_k/dxi_0 and dx_k/dxi_1 are linear in xi_2, and dx_k/dxi_2
  /// is constant. `vertex(v, k)` returns coordinate k of vertex v.
  template <class T>
  struct TrilinearLine
  {
    T start[3][2], slope[3][2], along[3];

    template <class Number, class Vertex>
    TESSERA_HOST_DEVICE
    TrilinearLine(const Number xi_0, const Number xi_1, const Vertex &vertex)
    {
      TESSERA_UNROLL
      for (int k = 0; k < 3; ++k)
        {
          T x[8];
          TESSERA_UNROLL
          for (int v = 0; v < 8; ++v)
            x[v] = vertex(v, k);
          TESSERA_UNROLL
          for (int side = 0; side < 2; ++side)
            {
              const T *f  = x + 4 * side;
              const T d0  = f[1] - f[0];
              const T d01 = f[3] - f[2] - d0;
              const T d1  = f[2] - f[0];
              const T g0 = d0 + xi_1 * d01, g1 = d1 + xi_0 * d01;
              const T value = f[0] + xi_0 * d0 + xi_1 * g1;
              if (side == 0)
                {
                  start[k][0] = g0;
                  start[k][1] = g1;
                  along[k]    = value;
                }
              else
                {
                  slope[k][0] = g0 - start[k][0];
                  slope[k][1] = g1 - start[k][1];
                  along[k]    = value - along[k];
                }
            }
        }
    }

    template <class Number>
    TESSERA_HOST_DEVICE void
    jacobian(const Number xi_2, T (&j)[3][3]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < 3; ++k)
        {
          j[k][0] = start[k][0] + xi_2 * slope[k][0];
          j[k][1] = start[k][1] + xi_2 * slope[k][1];
          j[k][2] = along[k];
        }
    }
  };

  /// The trilinear map of a hexahedron, computed from its eight vertices.
  template <class T>
  struct TrilinearGeometry
  {
    const T (&vertex)[8][3];

    TESSERA_HOST_DEVICE explicit TrilinearGeometry(const T (&vertex)[8][3])
      : vertex(vertex)
    {}

    template <class Tables>
    TESSERA_HOST_DEVICE void
    jacobian(const Tables &element, const int q0, const int q1, const int q2,
             T (&j)[3][3]) const
    {
      TrilinearLine<T>(
        element.points[q0], element.points[q1],
        [this](const int v, const int k) { return vertex[v][k]; })
        .jacobian(element.points[q2], j);
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
