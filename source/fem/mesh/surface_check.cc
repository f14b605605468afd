#include "triangle_shells.h"

#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <deal.II/numerics/rtree.h>

#include <cmath>
#include <iterator>
#include <optional>

namespace tessera::mesh_tools
{
  namespace
  {
    using Point  = dealii::Point<3>;
    using Vector = dealii::Tensor<1, 3>;
    using Corner = std::array<int, 3>;

    /// Calls `visit(s, t)` once for all triangles s < t whose boxes are at most
    /// `distance` apart along each axis.
    template <class Visit>
    void
    for_close_pairs(const TriangleSurface &surface, const double distance,
                    const Visit &visit)
    {
      using Entry = std::pair<dealii::BoundingBox<3>, int>;
      std::vector<Entry> boxes;
      for (const auto &[a, b, c] : surface.triangles)
        boxes.emplace_back(std::vector<Point>{surface.points[a],
                                              surface.points[b],
                                              surface.points[c]},
                           static_cast<int>(boxes.size()));
      const auto tree = dealii::pack_rtree(boxes);
      std::vector<Entry> found;
      for (const auto &[box, t] : boxes)
        {
          dealii::BoundingBox<3> around = box;
          around.extend(distance);
          found.clear();
          tree.query(boost::geometry::index::intersects(around),
                     std::back_inserter(found));
          for (const auto &[other, s] : found)
            if (s < t)
              visit(s, t);
        }
    }


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
    for_close_pairs(surface, tolerance, [&](const int s, const int t) {
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
