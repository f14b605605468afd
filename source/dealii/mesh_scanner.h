#pragma once

#include <tessera/base/names.h>
#include <tessera/dealii/mesh_file.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tessera::mesh_files
{
  /// Walks through the text of a mesh file. Whatever is asked for and not
  /// there is a MeshError of one sentence that says where.
  class Scanner
  {
  public:
    Scanner(std::string_view text, const std::string &source)
      : text(text), source(source)
    {}

    /// What is read, for messages.
    const std::string &
    name() const
    {
      return source;
    }

    /// Whether only blanks follow.
    bool
    at_end();

    /// The next characters up to a blank.
    std::string_view
    word(const std::string &expected);

    /// The rest of the line without surrounding blanks.
    std::string_view
    line();

    /// The rest of the line, which stays to be read.
    std::string_view
    peek_line() const;

    /// Throws unless the next word is this one.
    void
    expect(const std::string &expected_word);

    long long
    integer(const std::string &expected);

    /// A finite number; an exponent may be written with D.
    double
    real(const std::string &expected);

    /// A number of things that take at least so many bytes each, and that the
    /// rest of the file can hold.
    std::size_t
    count(const std::string &things, std::size_t bytes_each);

    /// Throws where `n` things of so many bytes cannot follow; of 0 bytes:
    /// where there cannot be so many at all.
    void
    check_count(long long n, const std::string &things,
                std::size_t bytes_each) const;

    /// The next bytes as a number, their order reversed if `swap`.
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

    /// Place of `what` from here on, or npos.
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

    /// "The <source> <what>."
    [[noreturn]] void
    fail(const std::string &what) const;

    /// "The <source> has '<found>' where <expected> is expected in line 3."
    [[noreturn]] void
    fail(std::string_view found, const std::string &expected) const;

  private:
    std::string_view text;
    std::string source;
    std::size_t place = 0;
  };

  /// From labels of vertices or elements in the file to indices.
  class Labels
  {
  public:
    explicit Labels(std::size_t n);

    /// False where the label is there already.
    bool
    add(long long label, int index);

    /// The index, or -1.
    int
    find(long long label) const;

  private:
    std::vector<int> dense;
    std::unordered_map<long long, int> sparse;
  };

  /// Appends a vertex; throws where the label is there already.
  void
  add_vertex(MeshFile &mesh, Labels &labels, const Scanner &in, long long label,
             const std::array<double, 3> &point);

  /// Appends an element whose corners are given by their labels, in the order
  /// of gmsh, VTK, UCD and Abaqus: around the bottom, then around the top.
  /// Throws where a vertex is missing or the id is no legal one.
  void
  add_element(MeshFile &mesh, const Labels &labels, const Scanner &in,
              CellType type, long long label, long long id,
              const std::vector<long long> &corners);

  /// The id of a group as an int. Throws MeshError, naming `owner`, where it is
  /// negative or too large.
  int
  check_id(const Scanner &in, long long id, const std::string &owner);

  /// The element at this place of `mesh.elements` is in the group `id` too.
  void
  add_group(MeshFile &mesh, std::size_t place, int id);

  /// Registers a name of a group; throws where it is another one's already.
  void
  add_name(MeshFile &mesh, const Scanner &in, int dimension,
           std::string_view name, long long id);

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

  /// What both formats of VTK hold.
  struct VtkArrays
  {
    std::vector<double> points;          ///< [n_points][3]
    std::vector<long long> connectivity; ///< corners of all cells
    std::vector<long long> offsets;      ///< [n_cells] ends in `connectivity`
    std::vector<long long> types;        ///< [n_cells]
    std::vector<long long> ids;          ///< [n_cells], or empty
  };

  MeshFile
  make_vtk_mesh(const VtkArrays &arrays, const std::string &source);

  /// Numbers rounded; -1, which is no legal id, where one is out of range.
  std::vector<long long>
  to_ids(const std::vector<double> &values);

  /// Whether a cell array of this name holds ids of materials and boundaries.
  bool
  is_id_array(std::string_view name);
} // namespace tessera::mesh_files
