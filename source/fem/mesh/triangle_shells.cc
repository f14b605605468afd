#include "triangle_shells.h"

#include "mesh_tools.h"

#include <tessera/base/error.h>

#include <cmath>
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


    /// Turns triangles around until those of each shell agree; returns the
    /// shells.
    std::vector<int>
    orient(Triangles &triangles, const Triangles &neighbors)
    {
      std::vector<char> turned(triangles.size(), false);
      const auto shell_of = parts(neighbors, [&](int t, int e, int n) {
        const auto &other = triangles[n];
        bool same         = false; // they pass the edge in one direction
        for (int k = 0; k < 3; ++k)
          same = same || (other[k] == triangles[t][e] &&
                          other[(k + 1) % 3] == triangles[t][(e + 1) % 3]);
        turned[n] = turned[t] != same;
        return true;
      });
      for (std::size_t t = 0; t < triangles.size(); ++t)
        if (turned[t])
          std::swap(triangles[t][1], triangles[t][2]);
      return shell_of;
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
      std::vector<std::vector<int>> around(shells.size()), bodies;
      for (std::size_t s = 0; s < shells.size(); ++s)
        for (std::size_t other = 0; other < shells.size(); ++other)
          if (other != s && is_inside(points[shells[s].triangles[0][0]],
                                      shells[other], points))
            around[s].push_back(static_cast<int>(other));
      std::vector<int> body_of(shells.size(), -1);
      for (std::size_t s = 0; s < shells.size(); ++s)
        if (around[s].size() % 2 == 0)
          {
            body_of[s] = static_cast<int>(bodies.size());
            bodies.push_back({static_cast<int>(s)});
          }
      for (std::size_t s = 0; s < shells.size(); ++s)
        if (around[s].size() % 2 == 1)
          {
            const int nearest =
              *std::max_element(around[s].begin(), around[s].end(),
                                [&](const int a, const int b) {
                                  return around[a].size() < around[b].size();
                                });
            if (body_of[nearest] >= 0)
              bodies[body_of[nearest]].push_back(static_cast<int>(s));
          }
      return bodies;
    }
  } // namespace


  Shells
  find_shells(const TriangleSurface &surface, const double angle,
              const std::string &source)
  {
    for (const auto &point : surface.points)
      if (!std::isfinite(point.norm_square()))
        throw MeshError("The " + source +
                        " has a coordinate that is not a number or too large.");
    const auto &points   = surface.points;
    const auto neighbors = find_neighbors(surface, source);
    Triangles triangles  = surface.triangles;
    Shells result;
    result.shell_of = orient(triangles, neighbors);

    std::vector<Vector> normals;
    std::vector<Shell> shells(
      1 + *std::max_element(result.shell_of.begin(), result.shell_of.end()));
    result.area = 0.;
    for (std::size_t t = 0; t < triangles.size(); ++t)
      {
        const auto &[i, j, k] = triangles[t];
        const Vector normal   = dealii::cross_product_3d(points[j] - points[i],
                                                         points[k] - points[i]);
        const double twice_area = normal.norm();
        result.area += twice_area / 2.;
        normals.push_back(twice_area > 0. ? normal / twice_area : normal);
        Shell &shell = shells[result.shell_of[t]];
        shell.triangles.push_back(triangles[t]);
        // Relative to a point of the shell, where round-off is smallest.
        shell.volume +=
          (points[i] - points[shell.triangles[0][0]]) * normal / 6.;
      }
    result.face_of = parts(neighbors, [&](const int t, int, const int n) {
      return normals[t] * normals[n] > std::cos(angle);
    });
    result.bodies  = find_bodies(shells, points);
    result.volume  = 0.;
    for (const auto &body : result.bodies)
      for (const int s : body)
        result.volume += (s == body[0] ? 1. : -1.) * std::abs(shells[s].volume);
    return result;
  }
} // namespace tessera::mesh_tools
