#pragma once

#include <tessera/space/boundary_faces.h>
#include <tessera/space/local_entry.h>

#include "cell_meshes.h"
#include "oracle.h"
#include "problems.h"
#include "test.h"

#include <numeric>

// Faces with data that tell indices apart, and a serial oracle for them.
namespace tessera::test
{
  /// Returns the nodes of every face of a cell, [n_faces][n of a face], in the
  /// order of the face's type.
  inline std::vector<std::vector<int>>
  face_nodes(const CellType type, const int degree)
  {
    const int dim = dimension(type), n1 = degree + 1;
    std::vector<std::vector<int>> faces;
    if (!is_simplex(type))
      {
        for (int d = 0, stride = 1; d < dim; ++d, stride *= n1)
          for (const int end : {0, degree})
            {
              faces.emplace_back();
              for (int i = 0; i < n_nodes(type, degree); ++i)
                if (i / stride % n1 == end)
                  faces.back().push_back(i);
            }
        return faces;
      }
    constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0},
                                 {0, 3}, {1, 3}, {2, 3}};
    const auto middle         = [&](const int a, const int b) {
      int e = 0;
      while (edge_between(edges[e][0], edges[e][1]) != edge_between(a, b))
        ++e;
      return dim + 1 + e;
    };
    for (int opposite = 0; opposite <= dim; ++opposite)
      {
        std::vector<int> v;
        for (int a = 0; a <= dim; ++a)
          if (a != opposite)
            v.push_back(a);
        if (degree == 1)
          faces.push_back(v);
        else if (dim == 2)
          faces.push_back({v[0], middle(v[0], v[1]), v[1]});
        else
          faces.push_back({v[0], v[1], v[2], middle(v[0], v[1]),
                           middle(v[1], v[2]), middle(v[2], v[0])});
      }
    return faces;
  }

  /// Returns at most `count` faces of the cells, in random order: inner ones
  /// too, and from both sides. Data are random, with the components of the
  /// nodes; every fifth face has no mass. The cell of a face is its boundary
  /// id.
  inline BoundaryFaces
  some_faces(const Connectivity &mesh, const int count)
  {
    const auto nodes = face_nodes(mesh.cell_type, mesh.degree);
    const int m = static_cast<int>(nodes.size()), all = m * mesh.n_cells();
    std::vector<int> order(all);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(3));
    order.resize(std::min(all, count));

    BoundaryFaces faces;
    faces.face_type = face_type(mesh.cell_type);
    faces.degree    = mesh.degree;
    for (const int f : order)
      {
        for (const int i : nodes[f % m])
          faces.dofs.push_back(
            mesh.cell_dofs[std::size_t(mesh.dofs_per_cell()) * (f / m) + i]);
        faces.boundary_ids.push_back(f / m);
      }
    const int b          = mesh.n_components;
    faces.n_components   = b;
    const std::size_t nq = n_points(faces.face_type, faces.degree);
    const std::size_t s  = n_local_entries(true, b);
    faces.load           = random_values<double>(nq * b * order.size(), 21);
    faces.mass           = random_values<double>(nq * s * order.size(), 22);
    std::vector<bool> is_diagonal(s, false);
    for (int c = 0; c < b; ++c)
      is_diagonal[local_entry(true, b, c, c)] = true;
    for (std::size_t k = 0; k < faces.mass.size(); ++k)
      faces.mass[k] = k / (nq * s) % 5 == 4 ? 0
                      : is_diagonal[k % s]  ? 1.2 + faces.mass[k]
                                            : 0.4 * faces.mass[k];
    return faces;
  }

  /// Computes dense matrices and loads of faces in double. Results have the
  /// length of a vector of the space, tail included.
  class BoundaryOracle
  {
  public:
    BoundaryOracle(const Space &space, const BoundaryFaces &faces)
      : faces(faces), cell(faces.face_type, faces.degree), dofs(faces.dofs)
    {
      std::vector<int> local(space.mesh_dof.size());
      for (std::size_t i = 0; i < space.mesh_dof.size(); ++i)
        local[space.mesh_dof[i]] = static_cast<int>(i);
      for (int &dof : dofs)
        dof = local[dof];
    }

    /// Returns an entry and the sum of the sizes of its terms. Row c n + k of
    /// a face with n nodes is component c of node k.
    std::pair<double, double>
    entry(const int face, const int i, const int j) const
    {
      const int b = faces.n_components;
      const int c = std::min(i, j) / cell.n, d = std::max(i, j) / cell.n;
      return integral(face, faces.mass, n_local_entries(true, b),
                      local_entry(true, b, c, d), [&](const Position &xi) {
                        return cell.value(i % cell.n, xi) *
                               cell.value(j % cell.n, xi);
                      });
    }

    /// Adds factor M x to y, and sum |m_ij x_j| to scale.
    void
    add_product(const double factor, const std::vector<double> &x,
                std::vector<double> &y, std::vector<double> &scale) const
    {
      for_each_entry([&](const int row, const int column, const double m) {
        y[row] += factor * m * x[column];
        scale[row] += std::abs(m * x[column]);
      });
    }

    void
    add_diagonal(std::vector<double> &d) const
    {
      for_each_entry([&](const int row, const int column, const double m) {
        if (row == column)
          d[row] += m;
      });
    }

    void
    add_load(std::vector<double> &b, std::vector<double> &scale) const
    {
      for (int f = 0; f < faces.n_faces(); ++f)
        for (int i = 0; i < cell.n; ++i)
          {
            const auto [sum, size] =
              integral(f, faces.load, 1, 0,
                       [&](const Position &xi) { return cell.value(i, xi); });
            b[dofs[f * cell.n + i]] += sum;
            scale[dofs[f * cell.n + i]] += size;
          }
    }

    /// Calls f(local row, local column, value) for the entries of every face.
    template <class F>
    void
    for_each_entry(const F &f) const
    {
      for (int face = 0; face < faces.n_faces(); ++face)
        for (int i = 0; i < cell.n * faces.n_components; ++i)
          for (int j = 0; j < cell.n * faces.n_components; ++j)
            f(index(face, i), index(face, j), entry(face, i, j).first);
    }

  private:
    int
    index(const int face, const int i) const
    {
      return faces.n_components * dofs[face * cell.n + i % cell.n] + i / cell.n;
    }

    /// Returns the sum over points, and the sum of absolute values, where
    /// points have n_values data of which `value` counts.
    template <class F>
    std::pair<double, double>
    integral(const int face, const std::vector<double> &data,
             const std::size_t n_values, const std::size_t value,
             const F &f) const
    {
      std::pair<double, double> sum = {0, 0};
      for (std::size_t q = 0; q < cell.points.size(); ++q)
        {
          const double term =
            data[(cell.points.size() * face + q) * n_values + value] *
            f(cell.points[q]);
          sum.first += term;
          sum.second += std::abs(term);
        }
      return sum;
    }

    BoundaryFaces faces;
    ReferenceCell cell;
    std::vector<int> dofs;
  };

  /// A mesh and some of its faces: one, about as many as a batch has lanes, or,
  /// for degree 1, all of them in several blocks.
  struct BoundaryCase
  {
    std::string name;
    Connectivity mesh;
    BoundaryFaces faces;
  };

  inline std::vector<BoundaryCase>
  boundary_cases()
  {
    std::vector<BoundaryCase> cases;
    for (const CellType type : cell_types)
      for (const int degree : degrees(type))
        {
          const bool few          = n_nodes(type, degree) > 27;
          const Connectivity mesh = turned(generated_mesh(
            type, degree, few ? 2 : 4, few ? 2 : 3, few ? 1 : 2));
          const auto add = [&](const Connectivity &of, const int count) {
            cases.push_back({to_string(type) + ", degree " +
                               std::to_string(degree) + ", " +
                               std::to_string(count) + " faces",
                             of, some_faces(of, count)});
          };
          for (const int count : {1, 31, 33})
            add(mesh, count);
          if (degree == 1)
            add(turned(dimension(type) == 2 ? generated_mesh(type, 1, 17, 16, 1)
                                            : generated_mesh(type, 1, 5, 4, 3)),
                1 << 30);
        }
    return cases;
  }
} // namespace tessera::test
