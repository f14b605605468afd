#pragma once

#include <tessera/base/device.cuh>
#include <tessera/space/polynomial_line.h>
#include <tessera/space/reference_element.h>

#include "../operators/tuning.h"
#include "hexahedron_map.cuh"

// The threads of a hexahedron, what they share, and their tables
// (hexahedron_planes.cuh).
namespace tessera
{
  template <class E>
  struct PlaneShape
  {
    static constexpr int lanes   = 32; ///< cells at a time
    static constexpr int members = E::n1;
    static constexpr int threads = members * lanes;
  };

  /// Derivatives in direction 1, where planes turn.
  template <class E, class Number, int n_components,
            bool turns = tuning::planes_turn<E, n_components>>
  struct TurnedPlanes
  {
    Number others[n_components][E::n][PlaneShape<E>::lanes];
  };

  template <class E, class Number, int n_components>
  struct TurnedPlanes<E, Number, n_components, false>
  {};

  /// The shared memory of a block.
  template <class E, CellMap map_kind, class Number, int n_components>
  struct PlaneMemory : TurnedPlanes<E, Number, n_components>
  {
    static constexpr int lanes = PlaneShape<E>::lanes;
    static constexpr int n_map = map_kind == CellMap::trilinear
                                   ? 3 * n_map_entries
                                 : map_kind == CellMap::linear ? n_symmetric(3)
                                                               : 1;
    Number values[n_components][E::n][lanes], slopes[n_components][E::n][lanes];
    Number map[n_map][lanes];
  };

  /// Tables of the functions of a PolynomialLine in place of nodal functions.
  template <class E, class Number>
  ReferenceElement<E, Number>
  plane_element()
  {
    ReferenceElement<E, Number> element = reference_element<E, Number>();
    if constexpr (E::degree > 2)
      {
        const auto exact = reference_element<E, double>();
        for (int q = 0; q < E::n1; ++q)
          {
            double values[E::n1], slopes[E::n1];
            PolynomialLine<E::n1, double>::functions(exact.points[q] - 0.5,
                                                     values, slopes);
            for (int k = 0; k < E::n1; ++k)
              {
                element.values[k][q]    = static_cast<Number>(values[k]);
                element.gradients[k][q] = static_cast<Number>(slopes[k]);
              }
          }
      }
    return element;
  }
} // namespace tessera
