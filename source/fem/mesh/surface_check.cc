#include "surface_check.h"

#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace tessera::mesh_tools
{
  namespace
  {
    using Point  = dealii::Point<3>;
    using Vector = dealii::Tensor<1, 3>;
    using Corner = std::array<int, 3>;

    struct Box
    {
      Point lower, upper;

      Box()
      {
        for (int d = 0; d < 3; ++d)
          {
            lower[d] = std::numeric_limits<double>::max();
            upper[d] = -lower[d];
          }
      }

      void
      include(const Point &point)
      {
        for (int d = 0; d < 3; ++d)
          {
            lower[d] = std::min(lower[d], point[d]);
            upper[d] = std::max(upper[d], point[d]);
          }
      }

      /// Returns true if the boxes are at most `distance` apart along each
      /// axis.
      bool
      meets(const Box &other, const double distance) const
      {
        for (int d = 0; d < 3; ++d)
          if (lower[d] > other.upper[d] + distance ||
              other.lower[d] > upper[d] + distance)
            return false;
        return true;
      }
    };


    /// A tree of boxes around triangles. A leaf has at most four of them.
    class BoxTree
    {
    public:
      explicit BoxTree(const TriangleSurface &surface)
      {
        for (const auto &triangle : surface.triangles)
          {
            boxes.emplace_back();
            for (const int v : triangle)
              boxes.back().include(surface.points[v]);
          }
        order.resize(boxes.size());
        std::iota(order.begin(), order.end(), 0);
        if (!order.empty())
          build(0, order.size());
      }

      /// Calls `visit(s, t)` once for all s < t whose boxes meet.
      template <class Visit>
      void
      pairs(const double distance, const Visit &visit) const
      {
        if (!nodes.empty())
          join(0, 0, distance, visit);
      }

    private:
      struct Node
      {
        Box box;
        std::size_t begin, end;     ///< of `order`
        int children[2] = {-1, -1}; ///< -1 in a leaf
      };

      int
      build(const std::size_t begin, const std::size_t end)
      {
        const int index = static_cast<int>(nodes.size());
        nodes.push_back({{}, begin, end});
        Box box, centers;
        for (std::size_t i = begin; i < end; ++i)
          {
            const Box &of_triangle = boxes[order[i]];
            box.include(of_triangle.lower);
            box.include(of_triangle.upper);
            centers.include(center(order[i]));
          }
        nodes[index].box = box;
        if (end - begin <= 4)
          return index;
        int axis = 0;
        for (int d = 1; d < 3; ++d)
          if (centers.upper[d] - centers.lower[d] >
              centers.upper[axis] - centers.lower[axis])
            axis = d;
        const std::size_t middle = begin + (end - begin) / 2;
        std::nth_element(order.begin() + begin, order.begin() + middle,
                         order.begin() + end, [&](const int s, const int t) {
                           return std::make_pair(center(s)[axis], s) <
                                  std::make_pair(center(t)[axis], t);
                         });
        const int first = build(begin, middle), second = build(middle, end);
        nodes[index].children[0] = first;
        nodes[index].children[1] = second;
        return index;
      }

      Point
      center(const int t) const
      {
        return Point((boxes[t].lower + boxes[t].upper) / 2.);
      }

      template <class Visit>
      void
      join(const int a, const int b, const double distance,
           const Visit &visit) const
      {
        const Node &m = nodes[a], &n = nodes[b];
        if (!m.box.meets(n.box, distance))
          return;
        const bool leaves = m.children[0] < 0 && n.children[0] < 0;
        if (leaves)
          for (std::size_t i = m.begin; i < m.end; ++i)
            for (std::size_t j = a == b ? i + 1 : n.begin; j < n.end; ++j)
              {
                if (boxes[order[i]].meets(boxes[order[j]], distance))
                  visit(std::min(order[i], order[j]),
                        std::max(order[i], order[j]));
              }
        else if (a == b)
          {
            join(m.children[0], m.children[0], distance, visit);
            join(m.children[0], m.children[1], distance, visit);
            join(m.children[1], m.children[1], distance, visit);
          }
        else if (n.children[0] < 0 ||
                 (m.children[0] >= 0 && m.end - m.begin > n.end - n.begin))
          for (const int child : m.children)
            join(child, b, distance, visit);
        else
          for (const int child : n.children)
            join(a, child, distance, visit);
      }

      std::vector<Box> boxes; ///< [n_triangles]
      std::vector<int> order;
      std::vector<Node> nodes;
    };


    double
    limited(const double numerator, const double denominator)
    {
      return denominator > 0.
               ? std::min(1., std::max(0., numerator / denominator))
               : 0.;
    }

    /// Returns the point of the segment from p to q that is closest to x.
    Point
    closest_on_segment(const Point &x, const Point &p, const Point &q)
    {
      return p + limited((x - p) * (q - p), (q - p).norm_square()) * (q - p);
    }

    /// Returns the closest points of two segments (Ericson, Real-Time Collision
    /// Detection, 5.1.9).
    std::pair<Point, Point>
    closest_of_segments(const Point &p, const Point &q, const Point &r,
                        const Point &s)
    {
      const Vector u = q - p, v = s - r, w = p - r;
      const double a = u * u, e = v * v, b = u * v;
      const double along    = limited(b * (v * w) - (u * w) * e, a * e - b * b);
      const Point on_second = closest_on_segment(p + along * u, r, s);
      const Point on_first  = closest_on_segment(on_second, p, q);
      return {on_first, closest_on_segment(on_first, r, s)};
    }


    /// Finds whether two triangles meet where they have no common corner.
    class Meeting
    {
    public:
      Meeting(const TriangleSurface &surface, const double tolerance)
        : points(surface.points), tolerance(tolerance)
      {}

      /// Returns the place where two triangles meet; `crossing` is true if one
      /// goes through the other.
      std::optional<Point>
      find(const Corner &s, const Corner &t, bool &crossing) const
      {
        for (const auto &[one, other] : {std::pair(&s, &t), std::pair(&t, &s)})
          for (int e = 0; e < 3; ++e)
            {
              const int p = (*one)[e], q = (*one)[(e + 1) % 3];
              if (!has(*other, p) && !has(*other, q))
                if (const auto place = passes(points[p], points[q], *other))
                  {
                    crossing = true;
                    return place;
                  }
            }
        crossing = false;
        for (const auto &[one, other] : {std::pair(&s, &t), std::pair(&t, &s)})
          for (const int v : *one)
            if (!has(*other, v) && is_near(points[v], *other))
              return points[v];
        for (int e = 0; e < 3; ++e)
          for (int f = 0; f < 3; ++f)
            {
              const int p = s[e], q = s[(e + 1) % 3], r = t[f],
                        o = t[(f + 1) % 3];
              if (p == r || p == o || q == r || q == o)
                continue;
              const auto [x, y] =
                closest_of_segments(points[p], points[q], points[r], points[o]);
              if (x.distance(y) <= tolerance)
                return x;
            }
        return {};
      }

    private:
      static bool
      has(const Corner &triangle, const int v)
      {
        return std::find(triangle.begin(), triangle.end(), v) != triangle.end();
      }

      Vector
      normal(const Corner &t) const
      {
        const Vector n = dealii::cross_product_3d(points[t[1]] - points[t[0]],
                                                  points[t[2]] - points[t[0]]);
        return n.norm() > 0. ? n / n.norm() : n;
      }

      /// Returns where a segment goes through the inside of a triangle.
      std::optional<Point>
      passes(const Point &p, const Point &q, const Corner &t) const
      {
        const Vector n    = normal(t);
        const double from = n * (p - points[t[0]]), to = n * (q - points[t[0]]);
        if (std::min(from, to) >= -tolerance || std::max(from, to) <= tolerance)
          return {};
        const Point x = p + from / (from - to) * (q - p);
        return is_over(x, t, n) ? std::optional<Point>(x) : std::nullopt;
      }

      /// Returns true if x lies over the inside of the triangle.
      bool
      is_over(const Point &x, const Corner &t, const Vector &n) const
      {
        for (int e = 0; e < 3; ++e)
          {
            const Point &a = points[t[e]], &b = points[t[(e + 1) % 3]];
            if (dealii::cross_product_3d(b - a, x - a) * n <= 0.)
              return false;
          }
        return true;
      }

      bool
      is_near(const Point &x, const Corner &t) const
      {
        const Vector n        = normal(t);
        const double distance = std::abs(n * (x - points[t[0]]));
        if (distance > tolerance)
          return false;
        if (is_over(x, t, n))
          return true;
        for (int e = 0; e < 3; ++e)
          if (x.distance(closest_on_segment(
                x, points[t[e]], points[t[(e + 1) % 3]])) <= tolerance)
            return true;
        return false;
      }

      const std::vector<Point> &points;
      const double tolerance;
    };
  } // namespace


  void
  check_crossings(const TriangleSurface &surface, const double tolerance,
                  const std::string &source)
  {
    const Meeting meeting(surface, tolerance);
    struct Found
    {
      std::size_t count = 0;
      std::pair<int, int> first;
      Point place;
    };
    Found crossings, contacts;
    BoxTree(surface).pairs(tolerance, [&](const int s, const int t) {
      bool crossing = false;
      const auto place =
        meeting.find(surface.triangles[s], surface.triangles[t], crossing);
      if (!place)
        return;
      Found &found = crossing ? crossings : contacts;
      if (found.count++ == 0 || std::make_pair(s, t) < found.first)
        {
          found.first = {s, t};
          found.place = *place;
        }
    });
    const auto refuse = [&](const Found &found, const std::string &is,
                            const std::string &verb) {
      if (found.count > 0)
        throw MeshError(
          "The surface of the " + source + ' ' + is + ": " +
          std::to_string(found.count) +
          (found.count == 1 ? " pair of triangles " + verb + "s"
                            : " pairs of triangles " + verb) +
          (found.count == 1 ? ", around " : ", one of them around ") +
          mesh_tools::place(found.place) + '.');
    };
    const auto verb_es = [](const Found &found) {
      return found.count == 1 ? std::string("crosse") : std::string("cross");
    };
    refuse(crossings, "intersects itself", verb_es(crossings));
    refuse(contacts, "touches itself",
           contacts.count == 1 ? "touche" : "touch");
  }
} // namespace tessera::mesh_tools
