#include "rigid_motions.h"
#include "rigid_body.h"

#include <tessera/base/error.h>
#include <tessera/program/table.h>

#include <cmath>
#include <iostream>
#include <set>
#include <utility>

namespace tessera
{
  namespace
  {
    using rigid::make_motion;
    using rigid::Motion;
    using rigid::tolerance;
    using rigid::Vector3;
    using Bodies3 = std::vector<rigid::Body>;

    constexpr std::size_t n_named = 8; ///< bodies behind the first

    /// The demand that a point of a cell does not move in a direction.
    struct Demand
    {
      Vector3 point, direction;
      unsigned int cell; ///< active cell index
    };

    template <int dim>
    Vector3
    in_space(const dealii::Tensor<1, dim> &x)
    {
      Vector3 result;
      for (int d = 0; d < dim; ++d)
        result[d] = x[d];
      return result;
    }

    /// Makes the bodies whose numbers cells have, counted in the order of the
    /// coarsest cells.
    template <int dim>
    Bodies3
    make_bodies(const Mesh<dim> &mesh, const std::vector<int> &body_of_cell)
    {
      Bodies3 bodies;
      const CoarsestCells<dim> coarsest(mesh);
      std::vector<int> body_of(coarsest.size());
      for (std::size_t c = 0; c < coarsest.coarsest_of.size(); ++c)
        body_of[coarsest.coarsest_of[c]] = body_of_cell[c * coarsest.n_parts];
      std::vector<dealii::Point<dim>> corners(coarsest.n_corners);
      for (std::size_t c = 0; c < coarsest.size(); ++c)
        {
          for (std::size_t v = 0; v < corners.size(); ++v)
            corners[v] =
              coarsest.vertex(coarsest.corners[c * corners.size() + v]);
          const std::size_t number = body_of[c];
          if (number == bodies.size())
            {
              Vector3 center;
              for (const auto &corner : corners)
                center += in_space<dim>(corner) / double(corners.size());
              const Vector3 vertex = in_space<dim>(corners[0]);
              bodies.push_back({vertex, vertex, center, {}});
              for (int i = 0; i < 6 && dim == 2; ++i)
                if (i < 2 || i == 5) // out of the plane
                  {
                    bodies.back().held.emplace_back();
                    bodies.back().held.back()[i] = 1;
                  }
            }
          rigid::Body &body = bodies[number];
          for (const auto &corner : corners)
            for (int d = 0; d < dim; ++d)
              {
                body.lower[d] = std::min(body.lower[d], corner[d]);
                body.upper[d] = std::max(body.upper[d], corner[d]);
              }
        }
      return bodies;
    }

    template <int dim>
    std::vector<Demand>
    make_demands(const CellNodes<dim> &cells,
                 const dealii::AffineConstraints<double> &constraints,
                 const std::vector<Spring<dim>> &springs)
    {
      const auto is_given = [&](const auto dof) {
        const auto *const entries = constraints.get_constraint_entries(dof);
        return entries != nullptr && entries->empty();
      };
      std::vector<Demand> demands;
      std::vector<char> is_done(cells.n_nodes(), false);
      CellValues<dim> values(cells, cells.unit_nodes());
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        for (int i = 0; i < cells.nodes_per_cell() && cells.is_own(cell); ++i)
          {
            const int node = cells.nodes(cell)[i];
            if (std::exchange(is_done[node], true))
              continue;
            for (int c = 0; c < dim; ++c)
              if (is_given(cells.dof(node, c)))
                {
                  values.reinit(cell);
                  Vector3 direction;
                  direction[c] = 1;
                  demands.push_back({in_space<dim>(values.point(i)), direction,
                                     static_cast<unsigned int>(cell)});
                }
          }
      for (const auto &spring : springs)
        {
          const auto pairs = dealii::eigenvectors(
            spring.stiffness, dealii::SymmetricTensorEigenvectorMethod::jacobi);
          for (const auto &[stiffness, direction] : pairs)
            if (stiffness > tolerance * tolerance * pairs[0].first)
              demands.push_back({in_space<dim>(spring.point),
                                 in_space<dim>(direction), spring.cell});
        }
      return demands;
    }

    /// Lets bodies extend over the cells of all processes.
    template <int dim>
    void
    join(Bodies3 &bodies, const Processes &all)
    {
      for (rigid::Body &body : bodies)
        for (int d = 0; d < dim; ++d)
          {
            body.lower[d] = -all.largest(-body.lower[d]);
            body.upper[d] = all.largest(body.upper[d]);
          }
    }

    /// Sets the farthest demand of each body to the farthest one of all
    /// processes.
    void
    agree(Bodies3 &bodies, const Division &division)
    {
      const std::size_t n_processes = division.n_processes(),
                        self        = division.rank();
      std::vector<double> norms(bodies.size() * n_processes, 0.);
      for (std::size_t k = 0; k < bodies.size(); ++k)
        norms[k * n_processes + self] = bodies[k].farthest.norm();
      sum_up(division, norms);
      std::vector<double> motions(bodies.size() * 6, 0.);
      for (std::size_t k = 0; k < bodies.size(); ++k)
        {
          const auto first = norms.begin() + k * n_processes;
          if (first + self == std::max_element(first, first + n_processes))
            for (int i = 0; i < 6; ++i)
              motions[6 * k + i] = bodies[k].farthest[i];
        }
      sum_up(division, motions);
      for (std::size_t k = 0; k < bodies.size(); ++k)
        for (int i = 0; i < 6; ++i)
          bodies[k].farthest[i] = motions[6 * k + i];
    }

    /// Returns the bodies whose numbers cells have, with what the demands of
    /// all processes hold.
    template <int dim>
    Bodies3
    held_bodies(const Mesh<dim> &mesh, const std::vector<int> &body_of_cell,
                const std::vector<Demand> &demands, const Division &division)
    {
      Bodies3 bodies = make_bodies(mesh, body_of_cell);
      join<dim>(bodies, division.processes());
      for (int step = 0; step < 6; ++step)
        {
          for (const Demand &demand : demands)
            {
              rigid::Body &body = bodies[body_of_cell[demand.cell]];
              if (body.held.size() == 6)
                continue;
              Motion motion = body.demand(demand.point, demand.direction);
              rigid::make_orthogonal(motion, body.held);
              if (motion.norm() > body.farthest.norm())
                body.farthest = motion;
            }
          agree(bodies, division);
          for (rigid::Body &body : bodies)
            {
              const double norm = body.farthest.norm();
              if (norm > tolerance)
                body.held.push_back(body.farthest / norm);
              body.farthest = Motion();
            }
        }
      return bodies;
    }

    template <int dim>
    std::string
    text(const Vector3 &x, const double scale)
    {
      dealii::Point<dim> point;
      for (int d = 0; d < dim; ++d)
        point[d] = std::abs(x[d]) < 1e-8 * scale ? 0. : x[d];
      return '(' + program::format_point(point.begin_raw(), dim) + ')';
    }

    template <int dim>
    std::string
    place_of(const rigid::Body &body)
    {
      return text<dim>(body.some_point, body.radius());
    }

    template <int dim>
    std::string
    in_words(const Motion &motion, const rigid::Body &body)
    {
      const Vector3 t = rigid::translation(motion), w = rigid::rotation(motion);
      const double turns = w.norm();
      if (turns < tolerance)
        return "move in the direction " + text<dim>(t / t.norm(), 1);
      const Vector3 arm =
        body.radius() / (turns * turns) * dealii::cross_product_3d(w, t);
      const double size   = body.radius() + body.centre().norm();
      const Vector3 point = body.centre() + arm;
      if (dim == 2)
        return "turn about the point " + text<dim>(point, size);
      return "turn about the axis " + text<dim>(w / turns, 1) + " through " +
             text<dim>(point, size) +
             (std::abs(t * w) < tolerance * turns ? "" : " and move along it");
    }

    /// Throws that the first of the loose bodies, which `what` describes, has
    /// these motions, and says where the others are.
    template <int dim>
    [[noreturn]] void
    refuse(const std::string &what, const std::vector<Motion> &motions,
           const std::vector<const rigid::Body *> &loose)
    {
      std::string words, others;
      for (const Motion &motion : rigid::reduced(motions))
        words += (words.empty() ? "" : ", ") + in_words<dim>(motion, *loose[0]);
      for (std::size_t k = 1; k < loose.size() && k <= n_named; ++k)
        others += (others.empty() ? "; nor are held those around " : ", ") +
                  place_of<dim>(*loose[k]);
      if (loose.size() > n_named + 1)
        others +=
          " and " + std::to_string(loose.size() - 1 - n_named) + " more";
      throw MeshError(
        "The " + what + " can " + words + others +
        "; add a displacement condition or a spring that prevents this.");
    }

    /// Refuses parts without common vertices that can move.
    template <int dim>
    void
    check_parts(const Mesh<dim> &mesh, const Bodies3 &parts)
    {
      std::vector<const rigid::Body *> loose;
      for (const rigid::Body &part : parts)
        if (part.held.size() < 6)
          loose.push_back(&part);
      if (!loose.empty())
        refuse<dim>(mesh.source +
                      (parts.size() == 1
                         ? ""
                         : " consists of " + std::to_string(parts.size()) +
                             " parts without common vertices, and the part "
                             "around " +
                             place_of<dim>(*loose[0])),
                    rigid::complement(loose[0]->held), loose);
    }

    /// Returns "the body of 8 cells around (1, 2) of the material 2 ('pin')".
    template <int dim>
    std::string
    describe(const Mesh<dim> &mesh, const Bodies<dim> &bodies, const int number,
             const rigid::Body &body, const CellNodes<dim> &cells)
    {
      std::vector<double> n(1, 0.);
      std::set<unsigned int> ids;
      for (int cell = 0; cell < cells.n_cells(); ++cell)
        if (bodies.of_cell[cell] == number)
          {
            n[0] += cells.is_own(cell) ? 1 : 0;
            ids.insert(cells.mesh().materials.data()[cell]);
          }
      sum_up(cells.division(), n);
      return "the body of " + program::format_count(std::llround(n[0])) +
             (n[0] == 1 ? " cell" : " cells") + " around " +
             place_of<dim>(body) +
             (ids.size() == 1 && *ids.begin() == 0
                ? ""
                : " of the material " + mesh.list_materials(ids));
    }

    /// Refuses bodies that can move although they share edges or corners with
    /// others.
    template <int dim>
    void
    check_joints(const Mesh<dim> &mesh, const Bodies<dim> &bodies,
                 const std::vector<Demand> &demands,
                 const CellNodes<dim> &cells)
    {
      const Division &division = cells.division();
      const Bodies3 all = held_bodies(mesh, bodies.of_cell, demands, division);
      rigid::Joints joints;
      for (const auto &[point, touching] : bodies.joints)
        for (std::size_t k = 1; k < touching.size(); ++k)
          joints[{touching[k - 1], touching[k]}].push_back(
            in_space<dim>(point));
      std::vector<Vector3> directions(dim);
      for (int d = 0; d < dim; ++d)
        directions[d][d] = 1;
      const auto free = rigid::free_bodies(all, joints, directions);
      if (!free && division.writes())
        std::cerr << "note: the " << mesh.source << " consists of "
                  << all.size()
                  << " bodies that share edges or corners, too many to find "
                     "out whether they can turn there."
                  << std::endl;
      if (!free || free->empty())
        return;
      std::vector<const rigid::Body *> loose;
      for (const auto &[number, motions] : *free)
        loose.push_back(&all[number]);
      const auto &[first, motions] = *free->begin();
      refuse<dim>(mesh.source + " consists of " + std::to_string(all.size()) +
                    " bodies that share edges or corners alone, and " +
                    describe(mesh, bodies, first, *loose[0], cells),
                  motions, loose);
    }
  } // namespace


  template <int dim>
  void
  check_rigid_motions(const Mesh<dim> &mesh, const CellNodes<dim> &cells,
                      const dealii::AffineConstraints<double> &constraints,
                      const std::vector<Spring<dim>> &springs)
  {
    const auto demands            = make_demands(cells, constraints, springs);
    const Bodies<dim> bodies      = find_bodies(mesh);
    std::vector<int> part_of_cell = bodies.of_cell;
    for (int &part : part_of_cell)
      part = bodies.part[part];
    const Bodies3 parts =
      held_bodies(mesh, part_of_cell, demands, cells.division());
    check_parts(mesh, parts);
    if (bodies.part.size() > parts.size())
      check_joints(mesh, bodies, demands, cells);
  }


#define INSTANTIATE(dim)                                                       \
  template void check_rigid_motions(const Mesh<dim> &, const CellNodes<dim> &, \
                                    const dealii::AffineConstraints<double> &, \
                                    const std::vector<Spring<dim>> &);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
