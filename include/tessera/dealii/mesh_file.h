#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <tessera/dealii/mesh.h>
#include <tessera/space/cell_type.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// What a mesh file says: vertices, and cells and faces of any type. A reader
  /// guarantees that coordinates are finite, that vertex indices are in range
  /// and that ids are not negative; all else is for `build_mesh` to check.
  struct MeshFile
  {
    struct Element
    {
      CellType type;
      int id;                      ///< of its group; 0 where there is none
      long long label;             ///< its number in the file
      std::array<int, 8> vertices; ///< in deal.II's order
    };

    std::string source; ///< `mesh file 'plate.msh'`, for messages
    std::vector<std::array<double, 3>> vertices;
    std::vector<long long> labels; ///< of the vertices: [n_vertices]
    std::vector<Element> elements;
    /// Place in `elements` to the further groups of an element that is in
    /// several ones.
    std::map<std::size_t, std::set<int>> further_groups;
    /// [dimension]: names of groups.
    std::array<std::map<std::string, int>, 4> names;
    /// Cells that no element is for, prisms for example, and their number.
    std::map<std::string, int> others;

    /// The highest dimension of the elements, 0 where there are none.
    int
    dimension() const;
  };

  /// The formats of `Mesh/Format`: msh, inp, ucd, vtk, vtu, unv.
  const std::vector<std::string> &
  mesh_formats();

  /// Reads the mesh from the content of a file; `format` is one of
  /// `mesh_formats()`. Whatever the content, throws nothing but MeshError (one
  /// sentence) or std::bad_alloc.
  MeshFile
  parse_mesh(const std::string &content, const std::string &format,
             const std::string &source);

  /// Reads a file, compressed by gzip or not. `format` auto goes by the suffix,
  /// and by the first character to tell Abaqus from UCD. Throws MeshError.
  MeshFile
  read_mesh_file(const std::string &path, const std::string &format);

  /// What to do where two vertices of a file are at the same place.
  enum class Coinciding
  {
    error,
    merge, ///< they become one
    keep   ///< they stay two: a slit
  };

  /// Makes the mesh that a file describes, coordinates times `scale`. Cells
  /// whose corners are numbered backwards are turned. Throws MeshError where
  /// the file is of another dimension, of several cell types or of none, a cell
  /// is degenerate or inverted, cells do not fit together, a vertex hangs on a
  /// face or, as `coinciding` says, two vertices are at the same place.
  template <int dim>
  void
  build_mesh(Mesh<dim> &mesh, const MeshFile &file,
             Coinciding coinciding = Coinciding::error, double scale = 1.);
} // namespace tessera
