#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
  /// a / b; on the device without the slow path for results that are not
  /// normal numbers (error below 2 ulp).
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

  /// The bilinear map of a cell,
  /// x(xi) = a + b xi_0 + c xi_1 + d xi_0 xi_1, from its four vertices.
  template <class T>
  struct BilinearGeometry
  {
    T b[2], c[2], d[2];

    /// `vertex`: [4 lexicographic][2 coordinates].
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

    /// jacobian[i][j] = dx_i / dxi_j at (xi_0, xi_1).
    template <class Number>
    TESSERA_HOST_DEVICE void
    jacobian(const Number xi_0, const Number xi_1, T (&j)[2][2]) const
    {
      TESSERA_UNROLL
      for (int k = 0; k < 2; ++k)
        {
          j[k][0] = b[k] + d[k] * xi_1;
          j[k][1] = c[k] + d[k] * xi_0;
        }
    }
  };

  template <class T>
  TESSERA_HOST_DEVICE T
  determinant(const T (&j)[2][2])
  {
    return j[0][0] * j[1][1] - j[0][1] * j[1][0];
  }

  /// The flux in reference coordinates of a reference gradient (g0, g1), times
  /// w det J: f = w det J J^-1 flux(J^-T g), with coefficient `k`.
  template <class Form, class T, class Number>
  TESSERA_HOST_DEVICE void
  reference_flux(const T (&j)[2][2], const T (&k)[Form::n_coefficients],
                 const Number weight, const T g0, const T g1, T &f0, T &f1)
  {
    const T scale = quotient(T(weight), determinant(j));
    T t0, t1;
    Form::flux(k, j[1][1] * g0 - j[1][0] * g1, j[0][0] * g1 - j[0][1] * g0, t0,
               t1);
    f0 = scale * (j[1][1] * t0 - j[0][1] * t1);
    f1 = scale * (j[0][0] * t1 - j[1][0] * t0);
  }

  /// The metric of a symmetric form, G = (g00, g01, g11): the reference flux
  /// of (g0, g1) is (g00 g0 + g01 g1, g01 g0 + g11 g1).
  template <class Form, class T, class Number>
  TESSERA_HOST_DEVICE void
  metric(const T (&j)[2][2], const T (&k)[Form::n_coefficients],
         const Number weight, T (&g)[3])
  {
    static_assert(Form::symmetric, "three values suffice for symmetric forms");
    T unused;
    reference_flux<Form>(j, k, weight, T(Number(1)), T(Number(0)), g[0], g[1]);
    reference_flux<Form>(j, k, weight, T(Number(0)), T(Number(1)), unused,
                         g[2]);
  }
} // namespace tessera
