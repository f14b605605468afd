#pragma once

#include <tessera/base/attributes.h>

namespace tessera
{
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
} // namespace tessera
