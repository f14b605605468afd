#include "rigid_body.h"

#include <tessera/base/random.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tessera::rigid
{
  namespace
  {
    constexpr int n_motions = 6; ///< of a body

    /// Two bodies and what their joint demands: rows of the matrix of the
    /// motions of both.
    struct Link
    {
      int first, second;
      std::vector<std::array<Motion, 2>> demands;
    };

    /// Returns the demands that two bodies move alike at points. They are
    /// orthogonal in the frame of the smaller body.
    Link
    make_link(const std::vector<Body> &bodies, const std::pair<int, int> &pair,
              const std::vector<Vector3> &points,
              const std::vector<Vector3> &directions)
    {
      const Body &a = bodies[pair.first], &b = bodies[pair.second];
      const bool swaps  = b.radius() < a.radius();
      const Body &small = swaps ? b : a, &large = swaps ? a : b;
      std::vector<Motion> held;
      while (held.size() < n_motions)
        {
          Motion farthest;
          for (const Vector3 &point : points)
            for (const Vector3 &direction : directions)
              {
                Motion motion = small.demand(point, direction);
                make_orthogonal(motion, held);
                if (motion.norm() > farthest.norm())
                  farthest = motion;
              }
          if (farthest.norm() < tolerance)
            break;
          held.push_back(farthest / farthest.norm());
        }
      Link link{pair.first, pair.second, {}};
      const Vector3 arm  = (small.centre() - large.centre()) / large.radius();
      const double ratio = small.radius() / large.radius();
      for (const Motion &of_small : held)
        {
          const Vector3 t       = translation(of_small);
          const Motion of_large = -make_motion(
            t, dealii::cross_product_3d(arm, t) + ratio * rotation(of_small));
          link.demands.push_back(swaps
                                   ? std::array<Motion, 2>{of_large, of_small}
                                   : std::array<Motion, 2>{of_small, of_large});
        }
      return link;
    }


    /// A sparse symmetric semidefinite matrix, which is eliminated.
    class Matrix
    {
    public:
      explicit Matrix(const std::size_t n) : rows(n)
      {}

      void
      add(const int i, const int j, const double value)
      {
        if (value != 0)
          rows[i][j] += value;
      }

      /// Eliminates the unknowns first, ..., first + n_motions - 1. Returns the
      /// number of entries that this needs.
      std::size_t
      eliminate(const int first)
      {
        std::size_t n_entries = 0;
        std::vector<int> left;
        for (int i = 0; i < n_motions; ++i)
          left.push_back(first + i);
        while (!left.empty())
          {
            const auto pivot = std::max_element(
              left.begin(), left.end(),
              [this](const int i, const int j) { return at(i) < at(j); });
            if (at(*pivot) < tolerance * tolerance)
              break;
            n_entries += eliminate_one(*pivot);
            left.erase(pivot);
          }
        for (const int i : left)
          {
            for (const auto &[j, value] : rows[i])
              if (j != i)
                rows[j].erase(i);
            rows[i].clear();
            free.push_back(i);
          }
        return n_entries;
      }

      bool
      has_free() const
      {
        return !free.empty();
      }

      /// Returns a motion of the null space, once all are eliminated. Its
      /// largest entry is 1.
      std::vector<double>
      some_motion(RandomSequence &random) const
      {
        std::vector<double> x(rows.size(), 0.);
        for (const int i : free)
          x[i] = 2 * random.uniform() - 1;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step)
          {
            double sum = 0;
            for (const auto &[j, value] : step->row)
              sum += value * x[j];
            x[step->unknown] = -sum / step->pivot;
          }
        double largest = 0;
        for (const double entry : x)
          largest = std::max(largest, std::abs(entry));
        for (double &entry : x)
          entry /= largest;
        return x;
      }

    private:
      using Row = std::map<int, double>;

      struct Step
      {
        int unknown;
        double pivot;
        Row row; ///< without the pivot
      };

      std::vector<Row> rows;
      std::vector<Step> steps;
      std::vector<int> free;

      double
      at(const int i) const
      {
        const auto entry = rows[i].find(i);
        return entry == rows[i].end() ? 0. : entry->second;
      }

      std::size_t
      eliminate_one(const int p)
      {
        Step step{p, at(p), std::move(rows[p])};
        rows[p].clear();
        step.row.erase(p);
        for (const auto &[i, a] : step.row)
          {
            Row &row = rows[i];
            row.erase(p);
            for (const auto &[j, b] : step.row)
              row[j] -= a * b / step.pivot;
          }
        steps.push_back(std::move(step));
        return steps.back().row.size();
      }
    };


    /// Yields bodies with few neighbors first, and joins the neighbors of each.
    class Order
    {
    public:
      explicit Order(const std::size_t n) : neighbors(n)
      {}

      void
      connect(const int a, const int b)
      {
        neighbors[a].insert(b);
        neighbors[b].insert(a);
      }

      void
      add(const int body)
      {
        queue.emplace(neighbors[body].size(), body);
      }

      /// Returns the next body, or -1.
      int
      next()
      {
        if (queue.empty())
          return -1;
        const int body = queue.begin()->second;
        queue.erase(queue.begin());
        for (const int n : neighbors[body])
          {
            const bool waits = queue.erase({neighbors[n].size(), n}) > 0;
            neighbors[n].insert(neighbors[body].begin(), neighbors[body].end());
            neighbors[n].erase(body);
            neighbors[n].erase(n);
            if (waits)
              add(n);
          }
        neighbors[body].clear();
        return body;
      }

    private:
      std::vector<std::set<int>> neighbors;
      std::set<std::pair<std::size_t, int>> queue;
    };


    /// Returns orthogonal motions that span the motions of a body in motions of
    /// all, whose largest entries are 1.
    std::vector<Motion>
    motions_of(const int body, const std::vector<std::vector<double>> &of_all)
    {
      std::vector<Motion> span;
      for (const auto &all : of_all)
        {
          Motion motion;
          for (int i = 0; i < n_motions; ++i)
            motion[i] = all[n_motions * body + i];
          const double before = motion.norm();
          make_orthogonal(motion, span);
          if (motion.norm() > 0.01 * tolerance &&
              motion.norm() > tolerance * before)
            span.push_back(motion / motion.norm());
        }
      return span;
    }
  } // namespace


  std::optional<std::map<int, std::vector<Motion>>>
  free_bodies(const std::vector<Body> &bodies, const Joints &joints,
              const std::vector<Vector3> &directions)
  {
    constexpr std::size_t most_entries = 50 * 1000 * 1000;
    std::vector<Link> links;
    for (const auto &[pair, points] : joints)
      links.push_back(make_link(bodies, pair, points, directions));
    Matrix matrix(n_motions * bodies.size());
    const auto is_held = [&](const int body) {
      return bodies[body].held.size() == n_motions;
    };
    const auto add = [&](const int a, const Motion &of_a, const int b,
                         const Motion &of_b) {
      if (is_held(a) || is_held(b))
        return;
      for (int i = 0; i < n_motions; ++i)
        for (int j = 0; j < n_motions; ++j)
          matrix.add(n_motions * a + i, n_motions * b + j, of_a[i] * of_b[j]);
    };
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (const Motion &held : bodies[b].held)
        add(static_cast<int>(b), held, static_cast<int>(b), held);
    for (const Link &link : links)
      for (const auto &[of_first, of_second] : link.demands)
        {
          add(link.first, of_first, link.first, of_first);
          add(link.first, of_first, link.second, of_second);
          add(link.second, of_second, link.first, of_first);
          add(link.second, of_second, link.second, of_second);
        }
    Order order(bodies.size());
    for (const Link &link : links)
      if (!is_held(link.first) && !is_held(link.second))
        order.connect(link.first, link.second);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (!is_held(static_cast<int>(b)))
        order.add(static_cast<int>(b));
    std::size_t n_entries = 0;
    for (int body = order.next(); body >= 0; body = order.next())
      if ((n_entries += matrix.eliminate(n_motions * body)) > most_entries)
        return std::nullopt;

    std::map<int, std::vector<Motion>> result;
    if (!matrix.has_free())
      return result;
    // A body has at most six motions, which as many random ones span.
    RandomSequence random(1);
    std::vector<std::vector<double>> motions;
    for (int k = 0; k < n_motions; ++k)
      motions.push_back(matrix.some_motion(random));
    for (std::size_t b = 0; b < bodies.size(); ++b)
      if (auto span = motions_of(static_cast<int>(b), motions); !span.empty())
        result[static_cast<int>(b)] = std::move(span);
    return result;
  }


  std::vector<Motion>
  complement(std::vector<Motion> all)
  {
    std::vector<Motion> motions;
    while (all.size() < 6)
      {
        Motion best;
        for (int i = 0; i < 6; ++i)
          {
            Motion motion;
            motion[i] = 1;
            make_orthogonal(motion, all);
            if (motion.norm() > best.norm())
              best = motion;
          }
        motions.push_back(best / best.norm());
        all.push_back(motions.back());
      }
    return motions;
  }


  std::vector<Motion>
  reduced(std::vector<Motion> motions)
  {
    std::size_t rank = 0;
    for (int i = 0; i < 6 && rank < motions.size(); ++i)
      {
        const auto pivot =
          std::max_element(motions.begin() + rank, motions.end(),
                           [i](const Motion &a, const Motion &b) {
                             return std::abs(a[i]) < std::abs(b[i]);
                           });
        if (std::abs((*pivot)[i]) < tolerance)
          continue;
        std::swap(*pivot, motions[rank]);
        motions[rank] /= double(motions[rank][i]);
        for (std::size_t k = 0; k < motions.size(); ++k)
          if (k != rank)
            motions[k] -= motions[k][i] * motions[rank];
        ++rank;
      }
    return motions;
  }
} // namespace tessera::rigid
