#pragma once

#include <tessera/base/names.h>
#include <tessera/fem/mesh/mesh_file.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tessera::mesh_files
{
  /// Returns the content of a file, which may be compressed by gzip. Throws
  /// MeshError, which says what the file is and which entry names it.
  std::string
  read_content(const std::string &path, const std::string &what = "mesh file",
               const std::string &entry = "Mesh/File");

  /// Reads the text of a mesh file step by step. If something expected is
  /// missing, it throws a MeshError of one sentence that says where.
  class Scanner
  {
  public:
    Scanner(std::string_view text, const std::string &source)
      : text(text), source(source)
    {}

    /// Returns the name of the source for messages.
    const std::string &
    name() const
    {
      return source;
    }

    /// Returns true if only blanks follow.
    bool
    at_end();

    /// Reads the characters up to the next blank.
    std::string_view
    word(std::string_view expected);

    /// Reads the rest of the line and returns it without surrounding blanks.
    std::string_view
    line();

    /// Returns the rest of the line without reading it.
    std::string_view
    peek_line() const;

    /// Reads a word; throws if it is another one.
    void
    expect(std::string_view expected_word);

    long long
    integer(std::string_view expected);

    /// Reads a finite number; an exponent may be written with D.
    double
    real(std::string_view expected);

    /// Reads a number of things. Throws if the rest of the file is too short
    /// for them; each takes at least `bytes_each` bytes.
    std::size_t
    count(std::string_view things, std::size_t bytes_each);

    /// Throws if the rest of the file is too short for `n` things of
    /// `bytes_each` bytes, or if n is not legal at all.
    void
    check_count(long long n, std::string_view things,
                std::size_t bytes_each) const;

    /// Reads bytes as a number, in reverse order if `swap`.
    template <class T>
    T
    binary(const bool swap)
    {
      check_count(1, "numbers", sizeof(T));
      char bytes[sizeof(T)];
      for (std::size_t i = 0; i < sizeof(T); ++i)
        bytes[i] = text[place + (swap ? sizeof(T) - 1 - i : i)];
      place += sizeof(T);
      T value;
      std::memcpy(&value, bytes, sizeof(T));
      return value;
    }

    /// Returns the next place of `what`, or npos.
    std::size_t
    find(const std::string &what) const
    {
      return text.find(what, place);
    }

    void
    move_to(const std::size_t new_place)
    {
      place = new_place;
    }

    std::size_t
    where() const
    {
      return place;
    }

    /// Throws "The <source> <what>."
    [[noreturn]] void
    fail(const std::string &what) const;

    /// Throws "... has '<found>' where <expected> is expected in line 3."
    [[noreturn]] void
    fail(std::string_view found, std::string_view expected) const;

  private:
    std::string_view text;
    std::string source;
    std::size_t place = 0;
  };

  /// Maps labels of vertices or elements in the file to indices.
  class Labels
  {
  public:
    explicit Labels(std::size_t n);

    /// Returns false if the label is already known.
    bool
    add(long long label, int index);

    /// Returns the index of the label, or -1.
    int
    find(long long label) const;

  private:
    std::vector<int> dense;
    std::unordered_map<long long, int> sparse;
  };

  /// Appends a vertex; throws if the label is already known.
  void
  add_vertex(MeshFile &mesh, Labels &labels, const Scanner &in, long long label,
             const std::array<double, 3> &point);

  /// Appends an element. Its corners are given by their labels in the order of
  /// gmsh, VTK, UCD and Abaqus: around the bottom, then around the top. Throws
  /// if a vertex is missing or the id is not legal.
  void
  add_element(MeshFile &mesh, const Labels &labels, const Scanner &in,
              CellType type, long long label, long long id,
              const std::vector<long long> &corners);

  /// Returns the nodes between corners of an element of order 2: for each one
  /// the corners that it lies between, as places in deal.II's order. First come
  /// edges, then faces, then the middle of the element. The order is VTK's.
  const std::vector<std::vector<int>> &
  middles_of(CellType type);

  /// Orders of nodes between corners that are not VTK's: node i of an element
  /// of the file is number order[i] of `middles_of`.
  extern const std::vector<int> gmsh_tetrahedron, gmsh_hexahedron,
    abaqus_hexahedron;

  /// Gives the element that was appended last the nodes between its corners,
  /// whose labels are `middle`. They are in this `order`, or in the order
  /// of `middles_of` if it is empty. An element may have the first of them
  /// alone, and the label 0 says that it does not have a node, unless a node
  /// has this label. Throws if the file lacks a node.
  void
  add_middle_nodes(MeshFile &mesh, const Labels &labels, const Scanner &in,
                   const std::vector<long long> &middle,
                   const std::vector<int> &order = {});

  /// Returns the id of a group as an int. Throws MeshError, naming `owner`, if
  /// it is negative or too large.
  int
  check_id(const Scanner &in, long long id, const std::string &owner);

  /// Adds the element at this place of `mesh.elements` to the group `id`.
  void
  add_group(MeshFile &mesh, std::size_t place, int id);

  /// Registers a name of a group; throws if another group has the name.
  void
  add_name(MeshFile &mesh, const Scanner &in, int dimension,
           std::string_view name, long long id);

  /// Adds a note that the file has these things, which are not used, unless
  /// there are none.
  void
  note_unused(MeshFile &mesh, const std::vector<std::string> &things);

  MeshFile
  read_gmsh(std::string_view text, const std::string &source);
  MeshFile
  read_abaqus(std::string_view text, const std::string &source);
  MeshFile
  read_ucd(std::string_view text, const std::string &source);
  MeshFile
  read_vtk(std::string_view text, const std::string &source);
  MeshFile
  read_vtu(std::string_view text, const std::string &source);
  MeshFile
  read_unv(std::string_view text, const std::string &source);
  MeshFile
  read_carp(std::string_view text, const std::string &source);
  MeshFile
  read_medit(std::string_view text, const std::string &source);
  MeshFile
  read_mfem(std::string_view text, const std::string &source);

  /// Returns the content of a mesh of openCARP, as `parse_mesh` expects it,
  /// from one of its files and the `content` of this file. Throws MeshError.
  std::string
  carp_content(const std::string &path, const std::string &content);

  std::string
  lower(std::string_view text);

  /// The arrays that both formats of VTK have.
  struct VtkArrays
  {
    std::vector<double> points;          ///< [n_points][3]
    std::vector<long long> connectivity; ///< corners of all cells
    std::vector<long long> offsets;      ///< [n_cells]: ends in `connectivity`
    std::vector<long long> types;        ///< [n_cells]
    std::vector<long long> ids;          ///< [n_cells], or empty
    std::vector<double> fibres, sheets;  ///< [n_cells][3], or empty
    std::string id_name;                 ///< of the array of ids
    std::vector<std::string> not_used;   ///< arrays, such as "cell array 'T'"
    std::vector<std::string> of_points;  ///< the names of arrays of points
    std::string wanted;                  ///< one of them, or empty
    std::vector<double> values;          ///< its numbers
    int subdivisions = 1; ///< of the cells of the mesh a direction, as we write

    /// Takes an array of cells or points if it says something of the mesh; then
    /// `read()` returns its numbers. `n_components` is 0 if it is not known.
    /// Throws for a second array with other ids, and for cells that are copies
    /// of another file's.
    void
    take(bool of_cells, const std::string &name, long long n_components,
         const Scanner &in, const std::function<std::vector<double>()> &read);
  };

  MeshFile
  make_vtk_mesh(const VtkArrays &arrays, const std::string &source);

  /// Reads the arrays of VTK's XML format or of its legacy format, with the
  /// numbers of the array of points of this name.
  VtkArrays
  read_vtk_arrays(std::string_view text, const std::string &source,
                  const std::string &wanted);
  VtkArrays
  read_vtu_arrays(std::string_view text, const std::string &source,
                  const std::string &wanted);
} // namespace tessera::mesh_files
