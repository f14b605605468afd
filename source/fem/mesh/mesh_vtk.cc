#include "mesh_scanner.h"

#include <tessera/base/counted.h>

#include <algorithm>
#include <cmath>

namespace tessera::mesh_files
{
  namespace
  {
    /// Reads unstructured grids in VTK's legacy format, as text or binary (big
    /// endian). Cells may have the form since version 5 or the older one.
    class Vtk
    {
    public:
      Vtk(const std::string_view text, const std::string &source,
          const std::string &wanted = "")
        : in(text, source)
      {
        arrays.wanted = wanted;
      }

      VtkArrays
      read();

    private:
      Scanner in;
      VtkArrays arrays;
      bool binary        = false;
      bool of_cells      = false; ///< true if data belong to cells
      long long n_values = 0;     ///< number of their tuples

      /// Reads `n` numbers of a type that VTK names.
      template <class T>
      std::vector<T>
      numbers(long long n, const std::string &type);

      void
      read_cells(std::size_t n, std::size_t size);
      void
      read_offsets(std::size_t n, std::size_t size);
      void
      read_array(std::string_view kind);
      void
      read_field();

      void
      keep(const std::string &name, const long long n_components,
           const std::vector<double> &values)
      {
        arrays.take(of_cells, name, n_components, in,
                    [&values]() { return values; });
      }

      void
      skip_metadata()
      {
        in.line();
        while (!in.peek_line().empty())
          in.line();
      }
    };


    template <class T>
    std::vector<T>
    Vtk::numbers(const long long n, const std::string &type)
    {
      static const std::map<std::string, int> sizes = {
        {"char", 1},           {"unsigned_char", 1}, {"short", 2},
        {"unsigned_short", 2}, {"int", 4},           {"unsigned_int", 4},
        {"float", 4},          {"long", 8},          {"vtkidtype", 4},
        {"unsigned_long", 8},  {"double", 8},        {"vtktypeint64", 8},
        {"vtktypeint32", 4}};
      const auto size = sizes.find(type);
      if (size == sizes.end())
        in.fail(type, "a type of numbers");
      in.check_count(n, "numbers", binary ? size->second : 1);
      std::vector<T> result(n);
      if (binary)
        in.line();
      for (auto &value : result)
        if (!binary)
          value = std::is_integral<T>::value ? in.integer("an integer")
                                             : in.real("a number");
        else if (type == "float")
          value = in.binary<float>(true);
        else if (type == "double")
          value = in.binary<double>(true);
        else if (size->second == 1)
          value = in.binary<unsigned char>(true);
        else if (size->second == 2)
          value = in.binary<std::int16_t>(true);
        else if (size->second == 4)
          value = in.binary<std::int32_t>(true);
        else
          value = in.binary<std::int64_t>(true);
      return result;
    }


    VtkArrays
    Vtk::read()
    {
      if (in.line().substr(0, 22) != "# vtk DataFile Version")
        in.fail(
          "is not in VTK's legacy format: it does not begin with '# vtk "
          "DataFile Version'");
      in.line();
      const auto kind = in.word("ASCII or BINARY");
      if (kind != "ASCII" && kind != "BINARY")
        in.fail(kind, "ASCII or BINARY");
      binary = kind == "BINARY";
      in.expect("DATASET");
      const auto data_set = in.word("UNSTRUCTURED_GRID");
      if (data_set != "UNSTRUCTURED_GRID")
        in.fail("has a data set of type '" + printable(data_set) +
                "'; legal is UNSTRUCTURED_GRID");
      while (!in.at_end())
        {
          const auto keyword = in.word("a section");
          if (keyword == "POINTS")
            {
              const auto n = in.count("points", 3);
              arrays.points =
                numbers<double>(3 * n, lower(in.word("a type of numbers")));
            }
          else if (keyword == "CELLS")
            {
              const auto n    = in.count("cells", 1);
              const auto size = in.count("numbers of cells", 1);
              in.line();
              if (in.peek_line().substr(0, 7) == "OFFSETS")
                read_offsets(n, size);
              else
                read_cells(n, size);
            }
          else if (keyword == "CELL_TYPES")
            arrays.types = numbers<long long>(in.count("cells", 1), "int");
          else if (keyword == "METADATA")
            skip_metadata();
          else if (keyword == "CELL_DATA" || keyword == "POINT_DATA")
            {
              of_cells = keyword == "CELL_DATA";
              n_values = in.count("values", 0);
            }
          else if (keyword == "FIELD")
            read_field();
          else if (keyword == "SCALARS" || keyword == "VECTORS" ||
                   keyword == "NORMALS" || keyword == "TENSORS")
            read_array(keyword);
          else
            in.fail(keyword, "POINTS, CELLS, CELL_TYPES or data");
        }
      return std::move(arrays);
    }


    void
    Vtk::read_cells(const std::size_t n, const std::size_t size)
    {
      // The line after CELLS is read already, and `numbers` reads one line.
      std::vector<long long> data;
      in.check_count(size, "numbers of cells", binary ? 4 : 1);
      for (std::size_t i = 0; i < size; ++i)
        data.push_back(binary ? in.binary<std::int32_t>(true)
                              : in.integer("a corner of a cell"));
      std::size_t place = 0;
      for (std::size_t cell = 0; cell < n; ++cell)
        {
          if (place >= data.size() || data[place] < 0 ||
              data[place] >= static_cast<long long>(data.size() - place))
            in.fail("has a damaged list of cells");
          const auto begin = data.begin() + place + 1;
          place += data[place] + 1;
          arrays.connectivity.insert(arrays.connectivity.end(), begin,
                                     data.begin() + place);
          arrays.offsets.push_back(arrays.connectivity.size());
        }
    }


    void
    Vtk::read_offsets(const std::size_t n, const std::size_t size)
    {
      in.expect("OFFSETS");
      auto offsets = numbers<long long>(n, lower(in.word("a type of numbers")));
      if (!offsets.empty())
        offsets.erase(offsets.begin());
      arrays.offsets = offsets;
      in.expect("CONNECTIVITY");
      arrays.connectivity =
        numbers<long long>(size, lower(in.word("a type of numbers")));
    }


    void
    Vtk::read_array(const std::string_view kind)
    {
      const std::string name(in.word("a name"));
      const std::string type = lower(in.word("a type of numbers"));
      long long n_components = kind == "TENSORS" ? 9 : 3;
      if (kind == "SCALARS")
        {
          n_components = in.peek_line().empty() ? 1 : in.integer("components");
          in.check_count(n_components, "components", 0);
          in.expect("LOOKUP_TABLE");
          in.word("a name");
        }
      keep(name, n_components, numbers<double>(n_components * n_values, type));
    }


    void
    Vtk::read_field()
    {
      in.word("a name");
      for (auto n = in.count("arrays", 4); n > 0; --n)
        {
          const std::string name(in.word("a name"));
          const auto n_components = in.count("components", 0);
          const auto n_tuples     = in.count("values", 0);
          const std::string type  = lower(in.word("a type of numbers"));
          keep(name, n_components,
               numbers<double>(n_components * n_tuples, type));
          if (in.peek_line().empty())
            in.line();
          if (in.peek_line().substr(0, 8) == "METADATA")
            in.word(""), skip_metadata();
        }
    }
  } // namespace


  MeshFile
  read_vtk(const std::string_view text, const std::string &source)
  {
    return make_vtk_mesh(Vtk(text, source).read(), source);
  }


  VtkArrays
  read_vtk_arrays(const std::string_view text, const std::string &source,
                  const std::string &wanted)
  {
    return Vtk(text, source, wanted).read();
  }


  MeshFile
  make_vtk_mesh(const VtkArrays &arrays, const std::string &source)
  {
    static const std::map<long long, CellType> shapes = {
      {3, CellType::line},           {5, CellType::triangle},
      {9, CellType::quadrilateral},  {10, CellType::tetrahedron},
      {12, CellType::hexahedron},    {8, CellType::quadrilateral},
      {11, CellType::hexahedron},    {21, CellType::line},
      {22, CellType::triangle},      {23, CellType::quadrilateral},
      {24, CellType::tetrahedron},   {25, CellType::hexahedron},
      {28, CellType::quadrilateral}, {29, CellType::hexahedron}};
    // Cells of order 2 have further nodes behind their corners.
    static const std::map<long long, int> n_middle = {
      {21, 1}, {22, 3}, {23, 4}, {24, 6}, {25, 12}, {28, 5}, {29, 19}};
    const Scanner in("", source);
    MeshFile mesh;
    mesh.source = source;
    note_unused(mesh, arrays.not_used);
    const std::size_t n       = arrays.types.size();
    const std::size_t n_nodes = arrays.points.size() / 3;
    if (n_nodes == 0 || n == 0)
      in.fail(std::string("has no ") + (n == 0 ? "cells" : "points"));
    if (arrays.offsets.size() != n ||
        (!arrays.ids.empty() && arrays.ids.size() != n))
      in.fail("has " + counted(n, "type") +
              " of cells, but a different number of cells or ids");
    const auto &fibres = arrays.fibres, &sheets = arrays.sheets;
    for (const auto &[name, of_cells] :
         {std::pair{" of fibres", &fibres}, std::pair{" of sheets", &sheets}})
      if (!of_cells->empty() && of_cells->size() != 3 * n)
        in.fail("has " + counted(n, "cell") + ", but " +
                counted(of_cells->size(), "component") + name +
                "; legal are three for each cell");
    if (fibres.empty() && !sheets.empty())
      in.fail("has a cell array of sheets, but none of fibres");
    Labels labels(n_nodes);
    for (std::size_t i = 0; i < n_nodes; ++i)
      add_vertex(mesh, labels, in, i,
                 {{arrays.points[3 * i], arrays.points[3 * i + 1],
                   arrays.points[3 * i + 2]}});
    long long begin = 0;
    for (std::size_t i = 0; i < n; begin = arrays.offsets[i++])
      {
        const long long stop = arrays.offsets[i], type = arrays.types[i];
        if (stop < begin ||
            stop > static_cast<long long>(arrays.connectivity.size()))
          in.fail("has a damaged list of cells at the cell " +
                  std::to_string(i));
        const auto shape = shapes.find(type);
        if (type == 1 || type == 2)
          continue;
        if (type == 13 || type == 14)
          ++mesh.others[type == 13 ? "prism" : "pyramid"];
        else if (shape == shapes.end())
          in.fail("has a cell of VTK's type " + std::to_string(type) +
                  (type > 20 ? ", of higher order" : "") +
                  "; legal are lines, triangles, quadrilaterals, tetrahedra "
                  "and hexahedra of order 1 and 2");
        else if (stop - begin !=
                 n_vertices(shape->second) +
                   (n_middle.count(type) ? n_middle.at(type) : 0))
          in.fail("has " + counted(stop - begin, "node") + " for the " +
                  to_string(shape->second) + ' ' + std::to_string(i));
        else
          {
            const auto nodes    = arrays.connectivity.begin() + begin;
            const int n_corners = n_vertices(shape->second);
            std::vector<long long> corners(nodes, nodes + n_corners);
            if (type == 8 || type == 11) // pixels and voxels
              std::swap(corners[2], corners[3]);
            if (type == 11)
              std::swap(corners[6], corners[7]);
            add_element(mesh, labels, in, shape->second, i,
                        arrays.ids.empty() ? 0 : arrays.ids[i], corners);
            if (stop - begin > n_corners)
              add_middle_nodes(
                mesh, labels, in,
                {nodes + n_corners, arrays.connectivity.begin() + stop});
            if (fibres.empty())
              continue;
            auto &both = mesh.fibres.emplace_back();
            std::copy_n(fibres.begin() + 3 * i, 3, both.begin());
            if (!sheets.empty())
              std::copy_n(sheets.begin() + 3 * i, 3, both.begin() + 3);
            for (const double x : both)
              if (!std::isfinite(x))
                in.fail("has a fibre of the " + to_string(shape->second) + ' ' +
                        std::to_string(i) + " that is not finite");
          }
      }
    return mesh;
  }
} // namespace tessera::mesh_files
