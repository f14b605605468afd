#include "triangle_shells.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <queue>
#include <tuple>
#include <unordered_map>

namespace tessera::mesh_tools
{
  namespace
  {
    using Vector = dealii::Tensor<1, 3>;
    using Edge   = std::pair<int, int>;

    /// Triangles that are kept have edges of at most so many of their heights.
    constexpr double most_heights = 4.;

    /// A surface with the triangle of each directed edge, which is one.
    class Changes
    {
    public:
      explicit Changes(TriangleSurface &surface)
        : points(surface.points), triangles(surface.triangles)
      {
        triangle_of.reserve(3 * triangles.size());
        for (std::size_t t = 0; t < triangles.size(); ++t)
          enter(static_cast<int>(t));
      }

      /// The two triangles at an edge (a, b): (a, b, c) and (b, a, d).
      struct Pair
      {
        int first, second, c, d;
      };

      bool
      has(const int a, const int b) const
      {
        return triangle_of.count(key(a, b)) != 0;
      }

      Pair
      at(const Edge &edge) const
      {
        const auto [a, b] = edge;
        const int first   = triangle_of.at(key(a, b)),
                  second  = triangle_of.at(key(b, a));
        return {first, second, third(first, a, b), third(second, a, b)};
      }

      /// Replaces the edge by the one from d to c; returns false if there is
      /// this edge already.
      bool
      flip(const Edge &edge)
      {
        const auto [a, b]                = edge;
        const auto [first, second, c, d] = at(edge);
        if (c == d || has(c, d) || has(d, c))
          return false;
        triangle_of.erase(key(a, b));
        triangle_of.erase(key(b, a));
        replace(first, {a, d, c});
        replace(second, {d, b, c});
        return true;
      }

      /// Divides the edge at its middle and returns the new point. The two new
      /// triangles at the end belong to the two at the edge, in this order.
      int
      split(const Edge &edge)
      {
        const auto [a, b]                = edge;
        const auto [first, second, c, d] = at(edge);
        const int m                      = static_cast<int>(points.size());
        points.emplace_back((points[a] + points[b]) / 2.);
        triangle_of.erase(key(a, b));
        triangle_of.erase(key(b, a));
        replace(first, {a, m, c});
        replace(second, {m, a, d});
        triangles.push_back({m, b, c});
        enter(static_cast<int>(triangles.size()) - 1);
        triangles.push_back({b, m, d});
        enter(static_cast<int>(triangles.size()) - 1);
        return m;
      }

      double
      length(const Edge &edge) const
      {
        return points[edge.first].distance(points[edge.second]);
      }

      Vector
      twice_area(const int a, const int b, const int c) const
      {
        return dealii::cross_product_3d(points[b] - points[a],
                                        points[c] - points[a]);
      }

      std::vector<dealii::Point<3>> &points;
      std::vector<std::array<int, 3>> &triangles;

    private:
      static std::uint64_t
      key(const int a, const int b)
      {
        return static_cast<std::uint64_t>(a) << 32 |
               static_cast<std::uint32_t>(b);
      }

      int
      third(const int t, const int a, const int b) const
      {
        for (const int v : triangles[t])
          if (v != a && v != b)
            return v;
        return -1;
      }

      void
      enter(const int t)
      {
        for (int e = 0; e < 3; ++e)
          triangle_of[key(triangles[t][e], triangles[t][(e + 1) % 3])] = t;
      }

      void
      replace(const int t, const std::array<int, 3> &corners)
      {
        triangles[t] = corners;
        enter(t);
      }

      std::unordered_map<std::uint64_t, int> triangle_of;
    };


    /// Returns true if the two triangles at the edge are not in one plane.
    bool
    is_bent(const Changes &changes, const Edge &edge, const double tolerance)
    {
      const auto [a, b]                = edge;
      const auto [first, second, c, d] = changes.at(edge);
      const auto &x                    = changes.points;
      const Vector across = dealii::cross_product_3d(x[b] - x[a], x[c] - x[d]);
      return std::abs(across * (x[c] - x[a])) > tolerance * across.norm();
    }


    /// Returns true if another diagonal of the two triangles at the edge would
    /// be in the same place and make larger angles.
    bool
    is_better_flipped(const Changes &changes, const Edge &edge,
                      const double tolerance)
    {
      const auto [a, b]                = edge;
      const auto [first, second, c, d] = changes.at(edge);
      const auto &x                    = changes.points;
      const Vector normal =
        changes.twice_area(a, b, c) + changes.twice_area(b, a, d);
      if (is_bent(changes, edge, tolerance) ||
          changes.twice_area(a, d, c) * normal <= 0. ||
          changes.twice_area(d, b, c) * normal <= 0.)
        return false;
      // sin(C + D) < 0 for the angles C and D against the edge
      const double sin_c = changes.twice_area(a, b, c).norm(),
                   cos_c = (x[a] - x[c]) * (x[b] - x[c]),
                   sin_d = changes.twice_area(b, a, d).norm(),
                   cos_d = (x[a] - x[d]) * (x[b] - x[d]);
      return sin_c * cos_d + cos_c * sin_d <
             -1e-9 * std::hypot(sin_c, cos_c) * std::hypot(sin_d, cos_d);
    }


    /// Returns true if the edge is long beside the height of a triangle on it,
    /// so that halves of the edge make better triangles. Triangles in a sharp
    /// corner stay narrow however often they are divided; therefore halves are
    /// at least a tenth of an element long. The middle must not be close to
    /// another point, and inside of a plane not close to an edge of the plane.
    bool
    makes_narrow(const Changes &changes, const Edge &edge, const double size,
                 const double tolerance)
    {
      const auto [a, b]                = edge;
      const auto [first, second, c, d] = changes.at(edge);
      const auto &x                    = changes.points;
      const double length              = changes.length(edge);
      const dealii::Point<3> middle((x[a] + x[b]) / 2.);
      const auto is_narrow = [&](const int v) {
        return length * length >
               most_heights * changes.twice_area(a, b, v).norm();
      };
      const auto is_close = [&](const int v) {
        return middle.distance(x[v]) < length / 4.;
      };
      if (length <= size / 5. || !(is_narrow(c) || is_narrow(d)))
        return false;
      if (is_bent(changes, edge, tolerance))
        return true;
      if (is_close(c) || is_close(d))
        return false;
      for (const int v : {c, d})
        for (const int w : {a, b})
          if ((x[v] - middle) * (x[w] - middle) < 0. &&
              is_bent(changes, {v, w}, tolerance))
            return false;
      return true;
    }
  } // namespace


  std::size_t
  flip_flat(TriangleSurface &surface, const double tolerance)
  {
    Changes changes(surface);
    std::size_t n_flat = 0;
    const auto longest = [&](const int t) {
      const auto &corners = changes.triangles[t];
      Edge edge{corners[2], corners[0]};
      for (int e = 0; e < 2; ++e)
        if (const Edge other{corners[e], corners[e + 1]};
            changes.length(other) > changes.length(edge))
          edge = other;
      return edge;
    };
    const auto is_flat = [&](const int t) {
      const auto &[a, b, c] = changes.triangles[t];
      return changes.twice_area(a, b, c).norm() <=
             tolerance * changes.length(longest(t));
    };
    // A flip may leave a flat triangle that is shorter.
    for (int round = 0, n_flipped = 1; round < 8 && n_flipped > 0; ++round)
      {
        n_flipped = 0;
        for (std::size_t t = 0; t < changes.triangles.size(); ++t)
          if (is_flat(static_cast<int>(t)))
            {
              n_flat += round == 0 ? 1 : 0;
              n_flipped += changes.flip(longest(static_cast<int>(t))) ? 1 : 0;
            }
      }
    return n_flat;
  }


  void
  divide(TriangleSurface &surface, std::vector<int> &face_of, const double size,
         const double tolerance)
  {
    Changes changes(surface);
    // Edges between planes come first, since points beside them would make
    // narrow triangles.
    using Long = std::tuple<bool, double, int, int>;
    std::priority_queue<Long> long_edges;
    const auto is_long = [&](const Edge &edge) {
      return changes.length(edge) > 4. / 3. * size ||
             makes_narrow(changes, edge, size, tolerance);
    };
    std::vector<Edge> suspects; // that may be better flipped
    const auto consider = [&](const int a, const int b) {
      suspects.emplace_back(std::minmax(a, b));
    };
    const auto flip_suspects = [&]() {
      while (!suspects.empty())
        {
          const Edge edge   = suspects.back();
          const auto [a, b] = edge;
          suspects.pop_back();
          if (!changes.has(a, b))
            continue;
          const auto [first, second, c, d] = changes.at(edge);
          if (face_of[first] == face_of[second] &&
              is_better_flipped(changes, edge, tolerance) && changes.flip(edge))
            {
              consider(c, d);
              for (const int v : {c, d})
                for (const int w : {a, b})
                  consider(v, w);
            }
          else if (is_long(edge))
            long_edges.emplace(is_bent(changes, edge, tolerance),
                               changes.length(edge), a, b);
        }
    };
    for (const auto &[a, b, c] : surface.triangles)
      for (const auto &[v, w] : {Edge(a, b), Edge(b, c), Edge(c, a)})
        if (v < w)
          consider(v, w);
    flip_suspects();
    while (!long_edges.empty())
      {
        const auto [bent, length, a, b] = long_edges.top();
        long_edges.pop();
        if (!changes.has(a, b) || !is_long({a, b}))
          continue;
        const auto [first, second, c, d] = changes.at({a, b});
        const int m                      = changes.split({a, b});
        face_of.push_back(face_of[first]);
        face_of.push_back(face_of[second]);
        for (const int v : {a, b, c, d})
          consider(v, m);
        for (const int v : {c, d})
          for (const int w : {a, b})
            consider(v, w);
        flip_suspects();
      }
  }
} // namespace tessera::mesh_tools
