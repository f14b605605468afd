#include "triangle_shells.h"

#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace tessera::mesh_tools
{
  namespace
  {
    using Vector    = dealii::Tensor<1, 3>;
    using Triangles = std::vector<std::array<int, 3>>;

    /// For each triangle, those beyond its edges: [n_triangles]. Edge e goes
    /// from corner e to the next one.
    Triangles
    find_neighbors(const TriangleSurface &surface, const std::string &source)
    {
      struct Edge
      {
        int low, high, triangle, number;
      };
      std::vector<Edge> edges;
      edges.reserve(3 * surface.triangles.size());
      for (std::size_t t = 0; t < surface.triangles.size(); ++t)
        for (int e = 0; e < 3; ++e)
          {
            const auto [low, high] = std::minmax(
              {surface.triangles[t][e], surface.triangles[t][(e + 1) % 3]});
            edges.push_back({low, high, static_cast<int>(t), e});
          }
      std::sort(edges.begin(), edges.end(), [](const Edge &a, const Edge &b) {
        return std::tie(a.low, a.high, a.triangle, a.number) <
               std::tie(b.low, b.high, b.triangle, b.number);
      });

      Triangles neighbors(surface.triangles.size());
      std::vector<Edge> single, multiple;
      for (std::size_t i = 0, end; i < edges.size(); i = end)
        {
          for (end = i + 1; end < edges.size() &&
                            edges[end].low == edges[i].low &&
                            edges[end].high == edges[i].high;)
            ++end;
          const Edge &a = edges[i];
          if (end != i + 2)
            {
              (end == i + 1 ? single : multiple).push_back(a);
              continue;
            }
          const Edge &b                   = edges[i + 1];
          neighbors[a.triangle][a.number] = b.triangle;
          neighbors[b.triangle][b.number] = a.triangle;
        }
      const auto refuse = [&](const std::vector<Edge> &bad,
                              const std::string &is,
                              const std::string &belong) {
        if (bad.empty())
          return;
        const Edge &edge = bad.front();
        const dealii::Point<3> middle(
          (surface.points[edge.low] + surface.points[edge.high]) / 2.);
        const bool one = bad.size() == 1;
        throw MeshError("The surface of the " + source + ' ' + is + ": " +
                        std::to_string(bad.size()) +
                        (one ? " edge belongs" : " edges belong") + " to " +
                        belong + " triangle" + (belong == "one" ? "" : "s") +
                        (one ? ", the one around " : ", one of them around ") +
                        place(middle) + ".");
      };
      refuse(single, "is open", "one");
      refuse(multiple, "touches itself", "more than two");
      return neighbors;
    }


    /// Numbers the parts of the triangles that are joined across edges, in the
    /// order of their first triangles, [n_triangles]. `joins(t, e, n)` is asked
    /// whether triangle t is joined with n, which has no number yet.
    template <class Joins>
    std::vector<int>
    parts(const Triangles &neighbors, const Joins &joins)
    {
      std::vector<int> part(neighbors.size(), -1), front;
      int n_parts = 0;
      for (std::size_t first = 0; first < neighbors.size(); ++first)
        {
          if (part[first] >= 0)
            continue;
          part[first] = n_parts;
          front.assign(1, static_cast<int>(first));
          while (!front.empty())
            {
              const int t = front.back();
              front.pop_back();
              for (int e = 0; e < 3; ++e)
                {
                  const int n = neighbors[t][e];
                  if (part[n] < 0 && joins(t, e, n))
                    {
                      part[n] = n_parts;
                      front.push_back(n);
                    }
                }
            }
          ++n_parts;
        }
      return part;
    }


    /// Returns true if two triangles pass edge e of the first in one direction.
    bool
    pass_alike(const std::array<int, 3> &triangle, const int e,
               const std::array<int, 3> &other)
    {
      for (int k = 0; k < 3; ++k)
        if (other[k] == triangle[e] &&
            other[(k + 1) % 3] == triangle[(e + 1) % 3])
          return true;
      return false;
    }


    std::string
    around(const TriangleSurface &surface, const std::array<int, 3> &triangle)
    {
      dealii::Point<3> center;
      for (const int v : triangle)
        center += surface.points[v] / 3.;
      return "around " + place(center) + '.';
    }


    /// Turns triangles around until the triangles of each shell agree; returns
    /// the shells.
    std::vector<int>
    orient(TriangleSurface &surface, const Triangles &neighbors,
           std::vector<char> &turned, const std::string &source)
    {
      Triangles &triangles = surface.triangles;
      turned.assign(triangles.size(), false);
      auto shell_of = parts(neighbors, [&](int t, int e, int n) {
        turned[n] = turned[t] != pass_alike(triangles[t], e, triangles[n]);
        return true;
      });
      for (std::size_t t = 0; t < triangles.size(); ++t)
        for (int e = 0; e < 3; ++e)
          if (const int n = neighbors[t][e];
              pass_alike(triangles[t], e, triangles[n]) !=
              (turned[t] != turned[n]))
            throw MeshError("The surface of the " + source +
                            " has one side alone, as a Moebius strip has; its "
                            "two sides meet " +
                            around(surface, triangles[t]));
      for (std::size_t t = 0; t < triangles.size(); ++t)
        if (turned[t])
          std::swap(triangles[t][1], triangles[t][2]);
      return shell_of;
    }


    /// Removes triangles with two equal corners and returns how many there
    /// were. Throws MeshError if a triangle is there twice.
    std::size_t
    remove_points_and_lines(TriangleSurface &surface, const std::string &source)
    {
      Triangles &triangles = surface.triangles, sorted;
      const auto end =
        std::remove_if(triangles.begin(), triangles.end(), [](const auto &t) {
          return t[0] == t[1] || t[1] == t[2] || t[2] == t[0];
        });
      const std::size_t n_removed = triangles.end() - end;
      triangles.erase(end, triangles.end());
      sorted = triangles;
      for (auto &triangle : sorted)
        std::sort(triangle.begin(), triangle.end());
      std::sort(sorted.begin(), sorted.end());
      const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      if (twice != sorted.end())
        throw MeshError("The surface of the " + source +
                        " has a triangle twice, " + around(surface, *twice));
      return n_removed;
    }


    /// Throws MeshError if a triangle is lower than `tolerance`.
    void
    check_areas(const TriangleSurface &surface, const double tolerance,
                const std::string &source)
    {
      for (const auto &triangle : surface.triangles)
        {
          const auto &a = surface.points[triangle[0]],
                     &b = surface.points[triangle[1]],
                     &c = surface.points[triangle[2]];
          if (dealii::cross_product_3d(b - a, c - a).norm() <=
              tolerance *
                std::max({a.distance(b), b.distance(c), c.distance(a)}))
            throw MeshError("The surface of the " + source +
                            " has triangles without area that cannot be "
                            "removed, one of them " +
                            around(surface, triangle));
        }
    }


    /// The triangles of a shell, and the volume that it encloses, which is
    /// negative if its normals point inwards.
    struct Shell
    {
      Triangles triangles;
      double volume = 0.;
    };


    /// Returns true if `point` is inside of a shell, from which the solid angle
    /// of the shell is then 4 pi instead of 0 (van Oosterom and Strackee, IEEE
    /// Trans. Biomed. Eng. 30, 1983).
    bool
    is_inside(const Vector &point, const Shell &shell,
              const std::vector<dealii::Point<3>> &points)
    {
      double half_angle = 0.;
      for (const auto &[i, j, k] : shell.triangles)
        {
          const Vector a = points[i] - point, b = points[j] - point,
                       c = points[k] - point;
          const double x = a.norm(), y = b.norm(), z = c.norm();
          half_angle +=
            std::atan2(a * dealii::cross_product_3d(b, c),
                       x * y * z + a * b * z + a * c * y + b * c * x);
        }
      return std::abs(half_angle) > M_PI;
    }


    /// Returns the bodies that shells enclose. A shell in an even number of
    /// others is the outer one of a body; another one is a cavity in the
    /// smallest body around it.
    std::vector<std::vector<int>>
    find_bodies(const std::vector<Shell> &shells,
                const std::vector<dealii::Point<3>> &points)
    {
      std::vector<std::vector<int>> outside(shells.size()), bodies;
      for (std::size_t s = 0; s < shells.size(); ++s)
        for (std::size_t other = 0; other < shells.size(); ++other)
          if (other != s && is_inside(points[shells[s].triangles[0][0]],
                                      shells[other], points))
            outside[s].push_back(static_cast<int>(other));
      std::vector<int> body_of(shells.size(), -1);
      for (std::size_t s = 0; s < shells.size(); ++s)
        if (outside[s].size() % 2 == 0)
          {
            body_of[s] = static_cast<int>(bodies.size());
            bodies.push_back({static_cast<int>(s)});
          }
      for (std::size_t s = 0; s < shells.size(); ++s)
        if (outside[s].size() % 2 == 1)
          {
            const int nearest =
              *std::max_element(outside[s].begin(), outside[s].end(),
                                [&](const int a, const int b) {
                                  return outside[a].size() < outside[b].size();
                                });
            if (body_of[nearest] >= 0)
              bodies[body_of[nearest]].push_back(static_cast<int>(s));
          }
      return bodies;
    }
  } // namespace


  double
  resolution(const TriangleSurface &surface)
  {
    double largest = 0.;
    for (const auto &point : surface.points)
      for (int d = 0; d < 3; ++d)
        largest = std::max(largest, std::abs(point[d]));
    return std::ldexp(largest, -22);
  }


  Shells
  find_shells(TriangleSurface &surface, const double angle,
              const std::string &source)
  {
    for (const auto &point : surface.points)
      if (!std::isfinite(point.norm_square()))
        throw MeshError("The " + source +
                        " has a coordinate that is not a number or too large.");
    const auto &points     = surface.points;
    const double tolerance = resolution(surface);
    Shells result;
    std::vector<char> turned;
    result.n_flat = remove_points_and_lines(surface, source);
    if (surface.triangles.empty())
      throw MeshError("The " + source + " has no triangles with an area.");
    auto neighbors  = find_neighbors(surface, source);
    result.shell_of = orient(surface, neighbors, turned, source);
    if (const std::size_t n_flat = flip_flat(surface, tolerance); n_flat > 0)
      {
        result.n_flat += n_flat;
        check_areas(surface, tolerance, source);
        neighbors = find_neighbors(surface, source);
      }

    std::vector<Vector> normals;
    std::vector<Shell> shells(
      1 + *std::max_element(result.shell_of.begin(), result.shell_of.end()));
    std::vector<double> areas(shells.size(), 0.);
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      {
        const auto &[i, j, k] = surface.triangles[t];
        const Vector normal   = dealii::cross_product_3d(points[j] - points[i],
                                                         points[k] - points[i]);
        const double twice_area = normal.norm();
        areas[result.shell_of[t]] += twice_area / 2.;
        normals.push_back(normal / twice_area);
        Shell &shell = shells[result.shell_of[t]];
        shell.triangles.push_back(surface.triangles[t]);
        // Relative to a point of the shell, where round-off is smallest.
        shell.volume +=
          (points[i] - points[shell.triangles[0][0]]) * normal / 6.;
      }
    for (std::size_t s = 0; s < shells.size(); ++s)
      if (std::abs(shells[s].volume) <= tolerance * areas[s])
        throw MeshError("The surface of the " + source +
                        " has a part that encloses no volume, " +
                        around(surface, shells[s].triangles[0]));
    result.face_of = parts(neighbors, [&](const int t, int, const int n) {
      return normals[t] * normals[n] > std::cos(angle);
    });
    result.bodies  = find_bodies(shells, points);
    result.area    = std::accumulate(areas.begin(), areas.end(), 0.);
    result.volume  = 0.;
    std::vector<char> inwards(shells.size(), false);
    for (const auto &body : result.bodies)
      for (const int s : body)
        {
          const double sign = s == body[0] ? 1. : -1.;
          result.volume += sign * std::abs(shells[s].volume);
          inwards[s] = sign * shells[s].volume < 0.;
        }
    for (std::size_t t = 0; t < surface.triangles.size(); ++t)
      if (inwards[result.shell_of[t]])
        {
          std::swap(surface.triangles[t][1], surface.triangles[t][2]);
          turned[t] = !turned[t];
        }
    result.n_turned = std::count(turned.begin(), turned.end(), true);
    return result;
  }
} // namespace tessera::mesh_tools
