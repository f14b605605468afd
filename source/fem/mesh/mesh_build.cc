#include "mesh_groups.h"
#include "mesh_tools.h"

#include <tessera/base/error.h>
#include <tessera/fem/mesh/mesh_file.h>
#include <tessera/program/table.h>

#include <cmath>

namespace tessera
{
  namespace
  {
    using mesh_tools::FaceKey;
    using mesh_tools::list_counts;
    using mesh_tools::make_key;

    /// Explains why a file of gmsh may have faces alone.
    std::string
    hint_at_volumes(const MeshFile &file)
    {
      return file.source.find(".msh") == std::string::npos
               ? ""
               : " (gmsh leaves volumes out where there is a physical group, "
                 "but no 'Physical Volume')";
    }

    /// Returns "triangle 7", for example.
    std::string
    name_of(const MeshFile::Element &element)
    {
      return to_string(element.type) + ' ' + std::to_string(element.label);
    }

    /// Makes a mesh from the content of a file.
    template <int dim>
    class Builder
    {
    public:
      Builder(const MeshFile &file, const double scale)
        : file(file), scale(scale)
      {}

      void
      build(Mesh<dim> &mesh, Coinciding coinciding, int order);

    private:
      using Element = MeshFile::Element;
      using Face    = mesh_tools::Face;

      const MeshFile &file;
      const double scale;
      std::vector<Element> cells;               ///< use these `vertices`
      std::vector<dealii::Point<dim>> vertices; ///< the vertices of cells
      std::vector<long long> labels;            ///< labels of `vertices`
      std::vector<int> pieces; ///< of `vertices`, or empty if there is one
      std::vector<int> index;  ///< by the file's vertex, or -1
      std::vector<Face> boundary;

      [[noreturn]] void
      fail(const std::string &what) const
      {
        throw MeshError("The " + file.source + ' ' + what + '.');
      }

      dealii::Point<dim>
      centre(const Element &cell) const
      {
        dealii::Point<dim> sum;
        const int n = n_vertices(cell.type);
        for (int v = 0; v < n; ++v)
          sum += vertices[cell.vertices[v]];
        return sum / n;
      }

      using Corners = std::vector<dealii::Point<dim>>;

      /// Returns false if a vertex occurs twice or the cell is inverted or
      /// degenerate; `corners` is memory for its corners.
      bool
      valid(const Element &cell, Corners &corners) const;

      void
      collect_cells();
      void
      collect_vertices();
      void
      orient();
      void
      find_boundary();
      void
      check_boundary(Coinciding coinciding);
      void
      merge(const std::vector<std::pair<int, int>> &pairs);
    };


    template <int dim>
    void
    Builder<dim>::collect_cells()
    {
      const int highest = file.dimension();
      if (highest < 2)
        fail("has no cells");
      if (highest != dim)
        fail("has cells of dimension " + std::to_string(highest) +
             "; a mesh of dimension " + std::to_string(dim) + " was asked for" +
             (highest < dim ? hint_at_volumes(file) : ""));
      std::map<CellType, int> of_type;
      for (const Element &element : file.elements)
        if (dimension(element.type) == dim)
          {
            ++of_type[element.type];
            cells.push_back(element);
          }
      std::map<std::string, int> n_of_type = file.others;
      for (const auto &[type, n] : of_type)
        n_of_type[to_string(type)] += n;
      if (n_of_type.size() > 1)
        fail("has " + list_counts(n_of_type) +
             "; legal are meshes of one type of cells, as gmsh makes them by "
             "dividing all: " +
             mesh_tools::command_that_divides(file));
      if (!file.others.empty())
        fail("has " + list_counts(n_of_type) +
             "; legal are triangles, quadrilaterals, tetrahedra or hexahedra, "
             "as gmsh makes them by dividing all: " +
             mesh_tools::command_that_divides(file));
    }


    template <int dim>
    void
    Builder<dim>::collect_vertices()
    {
      index.assign(file.vertices.size(), -1);
      double size = 0.;
      int first   = -1;
      for (Element &cell : cells)
        for (int v = 0; v < n_vertices(cell.type); ++v)
          {
            int &entry = index[cell.vertices[v]];
            if (entry < 0)
              {
                const auto &point = file.vertices[cell.vertices[v]];
                if (first < 0)
                  first = cell.vertices[v];
                entry = static_cast<int>(vertices.size());
                labels.push_back(file.labels[cell.vertices[v]]);
                if (!file.piece.empty())
                  pieces.push_back(file.piece[cell.vertices[v]]);
                vertices.emplace_back();
                for (int d = 0; d < dim; ++d)
                  vertices.back()[d] = scale * point[d];
                for (int d = 0; d < 3; ++d)
                  size = std::max(size,
                                  std::abs(point[d] - file.vertices[first][d]));
              }
            cell.vertices[v] = entry;
          }
      if (!std::isfinite(scale * size * size))
        fail("has coordinates that are too large");
      if (size > 0 && std::pow(scale * size, dim) < 1e-290) // volumes vanish
        fail("has coordinates that are too small: they differ by " +
             program::format(scale * size) + " at most");
      for (std::size_t i = 0; i < index.size() && dim == 2; ++i)
        if (index[i] >= 0 && std::abs(file.vertices[i][2] -
                                      file.vertices[first][2]) > 1e-8 * size)
          fail("is a surface in space: node " + std::to_string(file.labels[i]) +
               " has another z than the others; legal are plane meshes in x "
               "and y, and meshes of volumes" +
               hint_at_volumes(file));
    }


    template <int dim>
    bool
    Builder<dim>::valid(const Element &cell, Corners &corners) const
    {
      const int n = n_vertices(cell.type);
      corners.clear();
      for (int v = 0; v < n; ++v)
        {
          for (int w = 0; w < v; ++w)
            if (cell.vertices[v] == cell.vertices[w])
              return false;
          corners.push_back(vertices[cell.vertices[v]]);
        }
      return cell_quality<dim>(cell.type, corners) > smallest_quality;
    }


    template <int dim>
    void
    Builder<dim>::orient()
    {
      std::vector<char> is_valid(cells.size());
#pragma omp parallel
      {
        Corners corners;
#pragma omp for schedule(static)
        for (std::size_t c = 0; c < cells.size(); ++c)
          is_valid[c] = valid(cells[c], corners);
      }
      Corners corners;
      for (std::size_t c = 0; c < cells.size(); ++c)
        {
          Element &cell = cells[c];
          if (is_valid[c])
            continue;
          if (is_simplex(cell.type))
            std::swap(cell.vertices[0], cell.vertices[1]);
          else
            for (int v = 0; v < n_vertices(cell.type); v += 4)
              std::swap(cell.vertices[v + 1], cell.vertices[v + 2]);
          if (!valid(cell, corners))
            fail("has an inverted or degenerate cell around " +
                 mesh_tools::place(centre(cell)) + ": the " + name_of(cell));
        }
    }


    template <int dim>
    void
    Builder<dim>::find_boundary()
    {
      const auto faces = mesh_tools::sorted_faces(
        cells[0].type, cells.size(), static_cast<int>(vertices.size()),
        [this](const std::size_t c) { return cells[c].vertices.data(); });
      // Faces with the same key are neighbours. The first one of them is at the
      // boundary if it is alone; two of them must fit to each other.
      const auto n       = static_cast<std::ptrdiff_t>(faces.size());
      std::ptrdiff_t bad = n;
      std::vector<char> is_alone(n, false);
      const auto same = [&](const std::ptrdiff_t i, const std::ptrdiff_t j) {
        return j < n && faces[i].key == faces[j].key;
      };
      const auto one_cell = [&](const std::ptrdiff_t i) {
        const auto &a = cells[faces[i].cell].vertices,
                   &b = cells[faces[i + 1].cell].vertices;
        return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
      };
#pragma omp parallel for schedule(static) reduction(min : bad)
      for (std::ptrdiff_t i = 0; i < n; ++i)
        if (i == 0 || !same(i - 1, i))
          {
            is_alone[i] = !same(i, i + 1);
            if (is_alone[i] == 0 &&
                (one_cell(i) || same(i, i + 2) ||
                 faces[i].opposite != faces[i + 1].opposite))
              bad = std::min(bad, i);
          }
      if (bad < n)
        {
          const Element &a       = cells[faces[bad].cell],
                        &b       = cells[faces[bad + 1].cell];
          const std::string both = name_of(a) + " and the " + name_of(b) +
                                   " around " + mesh_tools::place(centre(b));
          fail((one_cell(bad) ? "has one cell twice: the "
                : same(bad, bad + 2)
                  ? "has a face with more than two cells, among them the "
                  : "has two cells that share the corners of a face in "
                    "different orders: the ") +
               both);
        }
      boundary.clear();
      for (std::ptrdiff_t i = 0; i < n; ++i)
        if (is_alone[i] != 0)
          boundary.push_back(faces[i]);
    }


    template <int dim>
    void
    Builder<dim>::check_boundary(const Coinciding coinciding)
    {
      auto contacts = mesh_tools::find_contacts(vertices, boundary);
      if (coinciding == Coinciding::merge)
        {
          std::vector<std::pair<int, int>> pairs;
          for (const auto &contact : contacts)
            if (contact.other >= 0)
              pairs.emplace_back(contact.vertex, contact.other);
          if (!pairs.empty())
            {
              merge(pairs);
              orient();
              find_boundary();
              contacts = mesh_tools::find_contacts(vertices, boundary);
            }
        }
      else if (!pieces.empty())
        mesh_tools::leave_apart(contacts, pieces, boundary, vertices,
                                file.source);
      if (contacts.empty())
        return;
      const auto &[vertex, other, face] = contacts.front();
      const std::string place           = mesh_tools::place(vertices[vertex]);
      if (other >= 0)
        fail("has two vertices at the same place " + place + ", the nodes " +
             std::to_string(labels[other]) + " and " +
             std::to_string(labels[vertex]) +
             "; 'Mesh/Coinciding vertices' = merge makes them one, keep leaves "
             "a slit");
      fail("has a hanging vertex at " + place + ": the node " +
           std::to_string(labels[vertex]) + " lies on a face of the " +
           name_of(cells[boundary[face].cell]) + " and is none of its corners");
    }


    template <int dim>
    void
    Builder<dim>::merge(const std::vector<std::pair<int, int>> &pairs)
    {
      const auto target = mesh_tools::smallest_equals(vertices.size(), pairs);
      std::vector<int> fresh(vertices.size(), -1);
      int n = 0;
      for (std::size_t i = 0; i < vertices.size(); ++i)
        if (target[i] == static_cast<int>(i))
          {
            vertices[n] = vertices[i];
            labels[n]   = labels[i];
            fresh[i]    = n++;
          }
      for (std::size_t i = 0; i < vertices.size(); ++i)
        fresh[i] = fresh[target[i]];
      vertices.resize(n);
      labels.resize(n);
      for (Element &cell : cells)
        for (int v = 0; v < n_vertices(cell.type); ++v)
          cell.vertices[v] = fresh[cell.vertices[v]];
      for (int &i : index)
        if (i >= 0)
          i = fresh[i];
    }


    template <int dim>
    void
    Builder<dim>::build(Mesh<dim> &mesh, const Coinciding coinciding,
                        const int order)
    {
      mesh.clear();
      mesh.source = file.source;
      collect_cells();
      collect_vertices();
      orient();
      find_boundary();
      if (coinciding != Coinciding::keep)
        check_boundary(coinciding);

      std::size_t n_seen = 0;
      for (const auto &[cell, id] : mesh_tools::assign_ids<std::size_t>(
             file, dim, mesh.material_names,
             [&n_seen](const Element &) { return n_seen++; }))
        cells[cell].id = id;
      // Faces with vertices that no cell has get keys that match no face.
      int n_apart = 0;
      auto faces  = mesh_tools::assign_ids<FaceKey>(
        file, dim - 1, mesh.boundary_names, [&](const Element &element) {
          std::vector<int> corners;
          for (int v = 0; v < n_vertices(element.type); ++v)
            corners.push_back(index[element.vertices[v]]);
          if (std::count(corners.begin(), corners.end(), -1) > 0)
            corners = {-2 - n_apart++};
          return make_key(corners);
        });

      mesh.n_ignored_faces =
        mesh_tools::create(mesh, mesh_tools::arrays_of(cells, vertices),
                           boundary, std::move(faces));
      if (order == 2)
        mesh_tools::curve_cells(mesh, file, index, scale);
      mesh.node_sets = mesh_tools::node_sets_of(file, dim, index);
    }
  } // namespace


  template <int dim>
  void
  build_mesh(Mesh<dim> &mesh, const MeshFile &file, const Coinciding coinciding,
             const double scale, const int order)
  {
    Builder<dim>(file, scale).build(mesh, coinciding, order);
    mesh.fibres = mesh_tools::fibres_of_cells(file, dim);
  }


  template void
  build_mesh(Mesh<2> &, const MeshFile &, Coinciding, double, int);
  template void
  build_mesh(Mesh<3> &, const MeshFile &, Coinciding, double, int);
} // namespace tessera
