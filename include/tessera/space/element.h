#pragma once

#include <tessera/space/cell_type.h>

#include <stdexcept>

namespace tessera
{
  /// The Lagrange element of degree p on a cell type, as compile-time
  /// constants.
  template <CellType type, int p>
  struct Element
  {
    static constexpr CellType cell_type = type;
    static constexpr int degree         = p;
    static constexpr int dim            = dimension(type);
    static constexpr bool simplex       = is_simplex(type);
    static constexpr int n_vertices     = tessera::n_vertices(type);
    /// Nodes of a cell.
    static constexpr int n        = n_nodes(type, p);
    static constexpr int n_points = tessera::n_points(type, p);
    /// Nodes per direction.
    static constexpr int n1 = p + 1;
    /// Number of consecutive entries of a matrix row that assembly strategies
    /// compute and pass on at a time.
    static constexpr int row_part = !simplex ? n1
                                    : type == CellType::tetrahedron && p == 2
                                      ? 5
                                      : n;
  };

  /// The element on a simplex with the fewest quadrature points that integrate
  /// products of two gradients exactly if the other factors are constant: one
  /// point for degree 1, and dim + 1 points of equal weight for degree 2.
  template <class E>
  struct FewPoints : E
  {
    static constexpr int n_points = E::degree == 1 ? 1 : E::dim + 1;
  };

  template <class E>
  constexpr bool has_few_points = E::n_points <
                                  tessera::n_points(E::cell_type, E::degree);

  template <int degree>
  using Quadrilateral = Element<CellType::quadrilateral, degree>;
  template <int degree>
  using Hexahedron = Element<CellType::hexahedron, degree>;
  template <int degree>
  using Triangle = Element<CellType::triangle, degree>;
  template <int degree>
  using Tetrahedron = Element<CellType::tetrahedron, degree>;

  /// True if this library has the cell kernels of instantiate.inc for such
  /// elements. The library for sanitizers has fewer degrees.
  bool
  has_kernels(CellType type, int degree);

  namespace internal
  {
#ifdef TESSERA_SANITIZED
    constexpr bool
    is_instantiated(const CellType type, const int degree)
    {
      return degree <= (type == CellType::hexahedron ? 3 : max_degree(type));
    }
#else
    constexpr bool
    is_instantiated(const CellType type, const int degree)
    {
      return degree <= max_degree(type);
    }
#endif

    template <CellType type, class F>
    decltype(auto)
    on_degree(const int degree, F &&f)
    {
      switch (degree)
        {
          case 1:
            return f(Element<type, 1>());
          case 2:
            return f(Element<type, 2>());
          case 3:
            if constexpr (is_instantiated(type, 3))
              return f(Element<type, 3>());
            break;
          case 4:
            if constexpr (is_instantiated(type, 4))
              return f(Element<type, 4>());
            break;
        }
      throw std::logic_error("no kernels for " + to_string(type) +
                             " of degree " + std::to_string(degree));
    }
  } // namespace internal

  /// Calls `f(Element<type, degree>())`, which leads from a run-time type and
  /// degree to one of the instantiations of instantiate.inc. Throws
  /// std::logic_error for lines and for degrees without kernels.
  template <class F>
  decltype(auto)
  on_element(const CellType type, const int degree, F &&f)
  {
    switch (type)
      {
        case CellType::quadrilateral:
          return internal::on_degree<CellType::quadrilateral>(degree, f);
        case CellType::hexahedron:
          return internal::on_degree<CellType::hexahedron>(degree, f);
        case CellType::triangle:
          return internal::on_degree<CellType::triangle>(degree, f);
        case CellType::tetrahedron:
          return internal::on_degree<CellType::tetrahedron>(degree, f);
        default:
          throw std::logic_error("there are no cell kernels for lines");
      }
  }
} // namespace tessera
