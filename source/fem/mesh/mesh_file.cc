#include "mesh_scanner.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/program/started_processes.h>

#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iostream>
#include <memory>
#include <set>

namespace tessera
{
  namespace
  {
    std::string
    format_of(const std::string &path, const std::string &content)
    {
      std::filesystem::path name(path);
      if (name.extension() == ".gz")
        name = name.stem();
      std::string suffix = name.extension().string();
      suffix.erase(0, 1);
      std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                     [](const unsigned char c) { return std::tolower(c); });
      if (suffix == "pts" || suffix == "elem")
        return "carp";
      const std::vector<std::string> formats = {"msh", "inp", "ucd", "vtk",
                                                "vtu", "unv", "mesh"};
      const std::vector<std::string> exodus  = {"e", "exo", "ex2", "exii"};
      if (std::find(exodus.begin(), exodus.end(), suffix) != exodus.end())
        throw MeshError(
          "The mesh file '" + path +
          "' is one of Exodus, which is not read; Cubit's command 'export "
          "abaqus \"" +
          name.stem().string() +
          ".inp\"' keeps blocks and side sets, and 'meshio convert " + path +
          ' ' + name.stem().string() + ".vtu' keeps the cells alone.");
      if (std::find(formats.begin(), formats.end(), suffix) == formats.end())
        throw MeshError("The suffix of the mesh file '" + path +
                        "' is none of " + list_of(formats) +
                        ", with or without .gz, nor .pts or .elem of openCARP, "
                        "nor a body's (.geo, .step, .stl); 'Mesh/Format' "
                        "can say what it is.");
      const auto first = content.find_first_not_of(" \t\r\n");
      if (suffix == "inp" && first != std::string::npos &&
          content[first] != '*')
        return "ucd";
      if (suffix == "mesh")
        return content.compare(std::min(first, content.size()), 4, "MFEM") == 0
                 ? "mfem"
                 : "medit";
      return suffix;
    }


    /// Returns the ids of the groups of points or lines that have members.
    std::set<int>
    groups_with_members(const MeshFile &file, const int dim)
    {
      std::set<int> ids;
      for (const auto &[id, vertices] : file.points)
        if (dim == 0)
          ids.insert(id);
      for (std::size_t e = 0; e < file.elements.size() && dim > 0; ++e)
        if (tessera::dimension(file.elements[e].type) == dim)
          {
            ids.insert(file.elements[e].id);
            if (const auto further = file.further_groups.find(e);
                further != file.further_groups.end())
              ids.insert(further->second.begin(), further->second.end());
          }
      return ids;
    }


    /// Returns how many nodes of a set the mesh does not have: nodes of no
    /// cell, and nodes between corners that are not all in the set.
    std::size_t
    n_left_out(const MeshFile &file, const std::vector<int> &set,
               const std::vector<std::pair<int, int>> &middle_of,
               const std::vector<char> &is_corner)
    {
      return std::count_if(set.begin(), set.end(), [&](const int node) {
        const auto [cell, k] = middle_of[node];
        if (is_corner[node] != 0)
          return false;
        if (cell < 0)
          return true;
        const auto &element = file.elements[cell];
        const auto &between = mesh_files::middles_of(element.type)[k];
        return std::any_of(between.begin(), between.end(), [&](const int v) {
          return !std::binary_search(set.begin(), set.end(),
                                     element.vertices[v]);
        });
      });
    }


    /// Returns the sentence about nodes of sets that the mesh does not have, or
    /// an empty one.
    std::string
    note_on_node_sets(const MeshFile &file)
    {
      if (file.node_sets.empty())
        return "";
      const int highest = file.dimension();
      std::vector<char> is_corner(file.vertices.size(), 0);
      // The cell that a node between corners belongs to, and its number there.
      std::vector<std::pair<int, int>> middle_of(file.vertices.size(),
                                                 {-1, -1});
      for (std::size_t e = 0; e < file.elements.size(); ++e)
        if (const auto &element = file.elements[e];
            tessera::dimension(element.type) == highest)
          {
            for (int v = 0; v < n_vertices(element.type); ++v)
              is_corner[element.vertices[v]] = 1;
            const auto n =
              static_cast<int>(mesh_files::middles_of(element.type).size());
            for (int k = 0; k < n && element.first_middle >= 0; ++k)
              if (const int node = file.middles[element.first_middle + k];
                  node >= 0)
                middle_of[node] = {static_cast<int>(e), k};
          }
      std::string list;
      for (const auto &[name, nodes] : file.node_sets)
        if (const auto n = n_left_out(file, nodes, middle_of, is_corner); n > 0)
          list += (list.empty() ? "" : ", ") + std::to_string(n) + " of '" +
                  name + '\'';
      return list.empty() ? ""
                          : "nodes of sets of the " + file.source +
                              " are left out, which are in no cell or between "
                              "corners that are not in the set: " +
                              list + '.';
    }


    /// Returns what to say of a file that was read.
    std::vector<std::string>
    notes_on(const MeshFile &file)
    {
      std::vector<std::string> notes = file.notes;
      std::string names;
      for (int d = 0; d < file.dimension() - 1; ++d)
        if (!file.names[d].empty())
          {
            const auto ids = groups_with_members(file, d);
            for (const auto &[name, id] : file.names[d])
              if (ids.count(id) == 0)
                names += (names.empty() ? "'" : ", '") + name + '\'';
          }
      if (!names.empty())
        notes.push_back("groups of points or lines of the " + file.source +
                        " have no members: " + names + '.');
      if (const std::string note = note_on_node_sets(file); !note.empty())
        notes.push_back(note);
      return notes;
    }
  } // namespace


  std::string
  mesh_files::read_content(const std::string &path, const std::string &what,
                           const std::string &entry)
  {
    const std::string name =
      "the " + what + " '" + path + "' of '" + entry + '\'';
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
      throw MeshError("Cannot read " + name + ": it is a folder.");
    // gzread() also reads files that are not compressed.
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(
      std::filesystem::is_regular_file(path, failure)
        ? gzopen(path.c_str(), "rb")
        : nullptr,
      gzclose);
    if (!file)
      throw MeshError("Cannot read " + name +
                      (std::filesystem::exists(path, failure)
                         ? "."
                         : ": it does not exist."));
    std::string content;
    std::vector<char> buffer(1 << 20);
    int n = 0;
    while ((n = gzread(file.get(), buffer.data(), buffer.size())) > 0)
      content.append(buffer.data(), n);
    int status = Z_OK;
    gzerror(file.get(), &status);
    if (n < 0 || status == Z_BUF_ERROR)
      throw MeshError("The " + what + " '" + path +
                      "' is truncated or damaged: it cannot be "
                      "uncompressed.");
    return content;
  }


  int
  MeshFile::dimension() const
  {
    int result = others.empty() ? 0 : 3;
    for (const Element &element : elements)
      result = std::max(result, tessera::dimension(element.type));
    return result;
  }


  const std::vector<std::string> &
  mesh_formats()
  {
    static const std::vector<std::string> formats = {
      "msh", "inp", "ucd", "vtk", "vtu", "unv", "carp", "medit", "mfem"};
    return formats;
  }


  MeshFile
  parse_mesh(const std::string &content, const std::string &format,
             const std::string &source)
  {
    using Reader = MeshFile (*)(std::string_view, const std::string &);
    const Reader readers[] = {
      mesh_files::read_gmsh, mesh_files::read_abaqus, mesh_files::read_ucd,
      mesh_files::read_vtk,  mesh_files::read_vtu,    mesh_files::read_unv,
      mesh_files::read_carp, mesh_files::read_medit,  mesh_files::read_mfem};
    if (content.find_first_not_of(" \t\r\n") == std::string::npos)
      throw MeshError("The " + source + " is empty.");
    return readers[index_of_name(format, mesh_formats(), "format of meshes")](
      content, source);
  }


  MeshFile
  read_mesh_file(const std::string &path, const std::string &format)
  {
    const std::string content = mesh_files::read_content(path),
                      what =
                        format == "auto" ? format_of(path, content) : format;
    MeshFile file = parse_mesh(
      what == "carp" ? mesh_files::carp_content(path, content) : content, what,
      "mesh file '" + path + "'");
    if (program::is_first_said("notes on " + path))
      for (const std::string &note : notes_on(file))
        std::cerr << "note: " << note << std::endl;
    return file;
  }
} // namespace tessera
