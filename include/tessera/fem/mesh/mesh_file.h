#pragma once

#include <tessera/fem/mesh/mesh.h>
#include <tessera/space/cell_type.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tessera
{
  /// The contents of a mesh file: vertices, and cells and faces of any type. A
  /// reader guarantees that coordinates are finite, vertex indices are in range
  /// and ids are not negative; `build_mesh` checks the rest.
  struct MeshFile
  {
    struct Element
    {
      CellType type;
      int id;                      ///< id of its group; 0 if there is none
      long long label;             ///< its number in the file
      std::array<int, 8> vertices; ///< in deal.II's order
      /// The place in `middles` of its first node between corners; -1 if its
      /// order is 1.
      int first_middle = -1;
    };

    std::string source; ///< `mesh file 'plate.msh'`, for messages
    std::vector<std::array<double, 3>> vertices;
    std::vector<long long> labels; ///< labels of the vertices, [n_vertices]
    std::vector<Element> elements;
    /// The vertices between the corners of elements of order 2, in the order of
    /// `mesh_files::middles_of`; -1 if an element has no such node.
    std::vector<int> middles;
    /// The directions of the fibres of each element and of its sheets (0 if the
    /// file has no sheets), [n_elements]; empty if it has no fibres.
    std::vector<std::array<double, 6>> fibres;
    /// Maps the place of an element in `elements` to its further groups if it
    /// belongs to several.
    std::map<std::size_t, std::set<int>> further_groups;
    /// The names of groups and their ids, [dimension].
    std::array<std::map<std::string, int>, 4> names;
    /// Types of cells that are not supported, such as prisms, with the number
    /// of their cells in the file.
    std::map<std::string, int> others;
    /// The elements of order 2 of a dimension.
    struct SecondOrder
    {
      std::size_t n        = 0;
      std::size_t n_curved = 0; ///< elements with a node off a straight edge
      /// The largest distance of a node from the middle of its edge, relative
      /// to the edge.
      double distance = 0;
    };
    std::array<SecondOrder, 4> second_order; ///< [dimension]
    /// The names of sets of vertices, and their members in ascending order.
    /// Nodes between members belong to a set, too.
    std::map<std::string, std::vector<int>> node_sets;
    /// The members of groups of single vertices, by id.
    std::map<int, std::vector<int>> points;
    /// The piece that a vertex belongs to, [n_vertices], if the file contains
    /// pieces that share no vertices, such as instances of parts; otherwise
    /// empty. Vertices of two pieces at the same place remain two.
    std::vector<int> piece;
    /// Sentences about contents of the file that the mesh leaves out, without
    /// the leading word "note:".
    std::vector<std::string> notes;

    /// Returns the highest dimension of the elements, or 0 if there are none.
    int
    dimension() const;
  };

  /// Returns the formats of `Mesh/Format`: msh, inp, ucd, vtk, vtu, unv, carp,
  /// medit and mfem.
  const std::vector<std::string> &
  mesh_formats();

  /// Reads a mesh from the content of a file; `format` is one of
  /// `mesh_formats()`. For the format carp the content is the files .pts, .elem
  /// and, if there is one, .lon, with a zero byte between them. For any
  /// content, it throws nothing but MeshError (one sentence) or std::bad_alloc.
  MeshFile
  parse_mesh(const std::string &content, const std::string &format,
             const std::string &source);

  /// Returns a sentence about the loss if nodes between the corners of cells of
  /// order 2 are left out; empty if the file has no such nodes.
  std::string
  note_on_order(const MeshFile &file);

  /// Reads a file, which may be compressed by gzip. The format `auto` is
  /// derived from the suffix of the file, and from its first characters to
  /// distinguish Abaqus from UCD and MFEM from Medit. With a file .pts or .elem
  /// the other files of the same name in its folder are read. Prints notes
  /// about a file once. Throws MeshError.
  MeshFile
  read_mesh_file(const std::string &path, const std::string &format);

  /// What to do if two vertices of a file are at the same place.
  enum class Coinciding
  {
    error,
    merge, ///< they become one vertex
    keep   ///< they stay two and form a slit
  };

  /// Makes the mesh that a file describes, with coordinates multiplied by
  /// `scale`. Cells of order 2 are curved by their nodes between corners,
  /// unless `order` is 1. Cells whose corners are numbered backwards are
  /// turned. Throws MeshError if the file is of another dimension, has several
  /// cell types or no cells, if a cell is degenerate or inverted, if cells do
  /// not fit together, if a vertex hangs on a face, or if two vertices are at
  /// the same place and `coinciding` is `error`. A vertex of another
  /// piece of the file (`MeshFile::piece`) neither hangs nor coincides,
  /// unless vertices are to be merged; a note reports where pieces
  /// touch.
  template <int dim>
  void
  build_mesh(Mesh<dim> &mesh, const MeshFile &file,
             Coinciding coinciding = Coinciding::error, double scale = 1.,
             int order = 2);
} // namespace tessera
