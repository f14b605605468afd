#include "../mesh/mesh_tools.h"
#include <tessera/fem/bridge/active_cells.h>

#include <tessera/base/error.h>
#include <tessera/fem/fields/rigid_motions.h>

#include <deal.II/fe/fe.h>

#include <array>
#include <cmath>

namespace tessera
{
  namespace
  {
    using Vector3 = dealii::Tensor<1, 3>;

    /// A motion: a rotation w in the first three entries, a translation t in
    /// the others. In two dimensions t is in the plane and w is across it. A
    /// demand has the same entries: it is that the scalar product with a motion
    /// vanishes.
    using Motion = dealii::Tensor<1, 6>;

    Vector3
    rotation(const Motion &motion)
    {
      return Vector3({motion[0], motion[1], motion[2]});
    }

    Vector3
    translation(const Motion &motion)
    {
      return Vector3({motion[3], motion[4], motion[5]});
    }

    Motion
    make_motion(const Vector3 &t, const Vector3 &w)
    {
      return Motion({w[0], w[1], w[2], t[0], t[1], t[2]});
    }

    constexpr double tolerance    = 1e-5;
    constexpr std::size_t n_named = 8; ///< parts behind the first

    /// A part of the mesh, and orthogonal demands on its motion.
    struct MeshPart
    {
      Vector3 lower, upper, some_point;
      std::vector<Motion> held;
      Motion farthest{}; ///< of the demands that are not among them yet

      Vector3
      centre() const
      {
        return 0.5 * (lower + upper);
      }

      double
      radius() const
      {
        return 0.5 * (upper - lower).norm();
      }
    };

    /// The demand that a point of a part does not move in a direction.
    struct Demand
    {
      Vector3 point, direction;
      int part;
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

    template <int dim>
    std::vector<MeshPart>
    make_parts(const dealii::Triangulation<dim> &triangulation,
               const std::vector<int> &part_of_cell)
    {
      std::vector<MeshPart> parts;
      for (const auto &cell : triangulation.cell_iterators_on_level(0))
        {
          auto inside = cell;
          while (inside->has_children())
            inside = inside->child(0);
          const std::size_t number = part_of_cell[inside->active_cell_index()];
          if (number == parts.size()) // parts are counted in this order
            {
              const Vector3 vertex = in_space<dim>(cell->vertex(0));
              parts.push_back(
                {vertex, vertex, in_space<dim>(inside->center()), {}});
              for (int i = 0; i < 6 && dim == 2; ++i)
                if (i < 2 || i == 5) // out of the plane
                  {
                    parts.back().held.emplace_back();
                    parts.back().held.back()[i] = 1;
                  }
            }
          MeshPart &part = parts[number];
          for (const unsigned int v : cell->vertex_indices())
            for (int d = 0; d < dim; ++d)
              {
                part.lower[d] = std::min(part.lower[d], cell->vertex(v)[d]);
                part.upper[d] = std::max(part.upper[d], cell->vertex(v)[d]);
              }
        }
      return parts;
    }

    template <int dim>
    std::vector<Demand>
    make_demands(const dealii::Mapping<dim> &mapping,
                 const dealii::DoFHandler<dim> &dof_handler,
                 const dealii::AffineConstraints<double> &constraints,
                 const std::vector<Spring<dim>> &springs,
                 const std::vector<int> &part_of_cell,
                 const Division *const division)
    {
      const auto &fe      = dof_handler.get_fe();
      const auto is_given = [&](const auto dof) {
        const auto *const entries = constraints.get_constraint_entries(dof);
        return entries != nullptr && entries->empty();
      };
      const auto dofs_of = [&](const auto &cell) {
        std::vector<dealii::types::global_dof_index> dofs(fe.n_dofs_per_cell());
        cell->get_dof_indices(dofs);
        return dofs;
      };
      std::vector<Demand> demands;
      std::vector<char> is_done(dof_handler.n_dofs(), false);
      for (const auto &cell : active_cells(dof_handler, [&](const auto &cell) {
             if (!is_here(division, cell))
               return false;
             const auto dofs = dofs_of(cell);
             return std::any_of(dofs.begin(), dofs.end(), is_given);
           }))
        {
          const auto dofs = dofs_of(cell);
          for (unsigned int i = 0; i < dofs.size(); ++i)
            if (is_given(dofs[i]) && !is_done[dofs[i]])
              {
                is_done[dofs[i]] = true;
                const auto point = mapping.transform_unit_to_real_cell(
                  cell, fe.unit_support_point(i));
                Vector3 direction;
                direction[fe.system_to_component_index(i).first] = 1;
                demands.push_back({in_space<dim>(point), direction,
                                   part_of_cell[cell->active_cell_index()]});
              }
        }
      for (const auto &spring : springs)
        {
          const auto pairs = dealii::eigenvectors(
            spring.stiffness, dealii::SymmetricTensorEigenvectorMethod::jacobi);
          for (const auto &[stiffness, direction] : pairs)
            if (stiffness > tolerance * tolerance * pairs[0].first)
              demands.push_back({in_space<dim>(spring.point),
                                 in_space<dim>(direction),
                                 part_of_cell[spring.cell]});
        }
      return demands;
    }

    /// Makes a motion orthogonal to those of a list of unit vectors. A second
    /// time removes the rounding of the first.
    void
    make_orthogonal(Motion &motion, const std::vector<Motion> &others)
    {
      for (int times = 0; times < 2; ++times)
        for (const Motion &other : others)
          motion -= (motion * other) * other;
    }

    /// Lets parts extend over the cells of all processes.
    template <int dim>
    void
    join(std::vector<MeshPart> &parts, const Division *const division)
    {
      if (division == nullptr)
        return;
      const Processes &all = division->processes();
      for (MeshPart &part : parts)
        for (int d = 0; d < dim; ++d)
          {
            part.lower[d] = -all.largest(-part.lower[d]);
            part.upper[d] = all.largest(part.upper[d]);
          }
    }

    /// Sets the farthest demand of each part to that of all processes.
    void
    agree(std::vector<MeshPart> &parts, const Division *const division)
    {
      if (division == nullptr)
        return;
      const std::size_t n_processes = division->processes().size(),
                        self        = division->rank();
      std::vector<double> norms(parts.size() * n_processes, 0.);
      for (std::size_t k = 0; k < parts.size(); ++k)
        norms[k * n_processes + self] = parts[k].farthest.norm();
      sum_up(division, norms);
      std::vector<double> motions(parts.size() * 6, 0.);
      for (std::size_t k = 0; k < parts.size(); ++k)
        {
          const auto first = norms.begin() + k * n_processes;
          if (first + self == std::max_element(first, first + n_processes))
            for (int i = 0; i < 6; ++i)
              motions[6 * k + i] = parts[k].farthest[i];
        }
      sum_up(division, motions);
      for (std::size_t k = 0; k < parts.size(); ++k)
        for (int i = 0; i < 6; ++i)
          parts[k].farthest[i] = motions[6 * k + i];
    }

    void
    hold(std::vector<MeshPart> &parts, const std::vector<Demand> &demands,
         const Division *const division)
    {
      for (int step = 0; step < 6; ++step)
        {
          for (const Demand &demand : demands)
            {
              MeshPart &part = parts[demand.part];
              if (part.held.size() == 6)
                continue;
              Motion motion =
                make_motion(demand.direction,
                            dealii::cross_product_3d(
                              (demand.point - part.centre()) / part.radius(),
                              demand.direction));
              make_orthogonal(motion, part.held);
              if (motion.norm() > part.farthest.norm())
                part.farthest = motion;
            }
          agree(parts, division);
          for (MeshPart &part : parts)
            {
              const double norm = part.farthest.norm();
              if (norm > tolerance)
                part.held.push_back(part.farthest / norm);
              part.farthest = Motion();
            }
        }
    }

    /// Returns a basis of the motions that nothing holds, in reduced echelon
    /// form, because it has axes of coordinates wherever possible.
    std::vector<Motion>
    free_motions(const MeshPart &part)
    {
      std::vector<Motion> all = part.held, motions;
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

    template <int dim>
    std::string
    text(const Vector3 &x, const double scale)
    {
      dealii::Point<dim> point;
      for (int d = 0; d < dim; ++d)
        point[d] = std::abs(x[d]) < 1e-8 * scale ? 0. : x[d];
      return mesh_tools::place(point);
    }

    template <int dim>
    std::string
    in_words(const Motion &motion, const MeshPart &part)
    {
      const Vector3 t = translation(motion), w = rotation(motion);
      const double turns = w.norm();
      if (turns < tolerance)
        return "move in the direction " + text<dim>(t / t.norm(), 1);
      const Vector3 arm =
        part.radius() / (turns * turns) * dealii::cross_product_3d(w, t);
      const double size   = part.radius() + part.centre().norm();
      const Vector3 point = part.centre() + arm;
      if (dim == 2)
        return "turn about the point " + text<dim>(point, size);
      return "turn about the axis " + text<dim>(w / turns, 1) + " through " +
             text<dim>(point, size) +
             (std::abs(t * w) < tolerance * turns ? "" : " and move along it");
    }
  } // namespace


  template <int dim>
  void
  check_rigid_motions(const Mesh<dim> &mesh,
                      const dealii::Mapping<dim> &mapping,
                      const dealii::DoFHandler<dim> &dof_handler,
                      const dealii::AffineConstraints<double> &constraints,
                      const std::vector<Spring<dim>> &springs,
                      const Division *const division)
  {
    const auto part_of_cell = connected_parts(mesh);
    auto parts              = make_parts(mesh.triangulation, part_of_cell);
    join<dim>(parts, division);
    hold(parts,
         make_demands(mapping, dof_handler, constraints, springs, part_of_cell,
                      division),
         division);
    std::vector<MeshPart> loose;
    for (const MeshPart &part : parts)
      if (part.held.size() < 6)
        loose.push_back(part);
    if (loose.empty())
      return;
    const auto place_of = [](const MeshPart &part) {
      return text<dim>(part.some_point, part.radius());
    };
    std::string words, others;
    for (const Motion &motion : free_motions(loose[0]))
      words += (words.empty() ? "" : ", ") + in_words<dim>(motion, loose[0]);
    for (std::size_t k = 1; k < loose.size(); ++k)
      if (k <= n_named)
        others += (others.empty() ? "; nor are held those around " : ", ") +
                  place_of(loose[k]);
    if (loose.size() > n_named + 1)
      others += " and " + std::to_string(loose.size() - 1 - n_named) + " more";
    throw MeshError(
      "The " + mesh.source +
      (parts.size() == 1 ? ""
                         : " consists of " + std::to_string(parts.size()) +
                             " parts without common vertices, and the part "
                             "around " +
                             place_of(loose[0])) +
      " can " + words + others +
      "; add a displacement condition or a spring that prevents this.");
  }


#define INSTANTIATE(dim)                             \
  template void check_rigid_motions(                 \
    const Mesh<dim> &, const dealii::Mapping<dim> &, \
    const dealii::DoFHandler<dim> &,                 \
    const dealii::AffineConstraints<double> &,       \
    const std::vector<Spring<dim>> &, const Division *);
  INSTANTIATE(2)
  INSTANTIATE(3)
#undef INSTANTIATE
} // namespace tessera
