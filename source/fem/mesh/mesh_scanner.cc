#include "mesh_scanner.h"

#include <tessera/base/error.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace tessera::mesh_files
{
  namespace
  {
    bool
    blank(const char c)
    {
      return c == ' ' || (c >= '\t' && c <= '\r');
    }

    std::string_view
    trim(std::string_view text)
    {
      while (!text.empty() && blank(text.front()))
        text.remove_prefix(1);
      while (!text.empty() && blank(text.back()))
        text.remove_suffix(1);
      return text;
    }
  } // namespace


  void
  Scanner::fail(const std::string &what) const
  {
    throw MeshError("The " + source + ' ' + what + '.');
  }


  void
  Scanner::fail(const std::string_view found,
                const std::string_view expected) const
  {
    const auto read = text.substr(0, place);
    fail("has '" + printable(found) + "' where " + std::string(expected) +
         " is expected in line " +
         std::to_string(1 + std::count(read.begin(), read.end(), '\n')));
  }


  bool
  Scanner::at_end()
  {
    while (place < text.size() && blank(text[place]))
      ++place;
    return place == text.size();
  }


  std::string_view
  Scanner::word(const std::string_view expected)
  {
    if (at_end())
      fail("is truncated: it ends where " + std::string(expected) +
           " is expected");
    const std::size_t begin = place;
    while (place < text.size() && !blank(text[place]))
      ++place;
    return text.substr(begin, place - begin);
  }


  std::string_view
  Scanner::peek_line() const
  {
    return trim(text.substr(place, text.find('\n', place) - place));
  }


  std::string_view
  Scanner::line()
  {
    const auto result = peek_line();
    const auto end    = text.find('\n', place);
    place             = end == std::string_view::npos ? text.size() : end + 1;
    return result;
  }


  void
  Scanner::expect(const std::string_view expected_word)
  {
    const std::string quoted = "'" + std::string(expected_word) + "'";
    const auto found         = word(quoted);
    if (found != expected_word)
      fail(found, quoted);
  }


  long long
  Scanner::integer(const std::string_view expected)
  {
    const auto found = word(expected);
    const auto text  = found.substr(found[0] == '+' ? 1 : 0);
    long long value  = 0;
    const auto end   = text.data() + text.size();
    const auto read  = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end)
      fail(found, expected);
    return value;
  }


  double
  Scanner::real(const std::string_view expected)
  {
    const auto found = word(expected);
    const auto text  = found.substr(found[0] == '+' ? 1 : 0);
    double value     = 0.;
    auto end         = text.data() + text.size();
    auto read        = std::from_chars(text.data(), end, value);
    if (read.ptr == end && read.ec == std::errc() && std::isfinite(value))
      return value;
    // The word has a Fortran exponent or is too small for from_chars.
    std::string copy(text);
    std::replace(copy.begin(), copy.end(), 'D', 'E');
    std::replace(copy.begin(), copy.end(), 'd', 'e');
    if (copy.find_first_not_of("0123456789+-.eE") != std::string::npos)
      fail(found, expected);
    char *stop = nullptr;
    value      = std::strtod(copy.c_str(), &stop);
    if (copy.empty() || *stop != 0 || !std::isfinite(value))
      fail(found, expected);
    return value;
  }


  void
  Scanner::check_count(const long long n, const std::string_view things,
                       const std::size_t bytes_each) const
  {
    constexpr long long most = std::numeric_limits<int>::max() - 1;
    const auto left          = text.size() - place;
    if (n < 0 || n > most ||
        (bytes_each > 0 && static_cast<std::size_t>(n) > left / bytes_each))
      fail("is truncated or damaged: " + std::to_string(n) + ' ' +
           std::string(things) + " are announced and do not follow");
  }


  std::size_t
  Scanner::count(const std::string_view things, const std::size_t bytes_each)
  {
    const long long n = integer("the number of " + std::string(things));
    check_count(n, things, bytes_each);
    return static_cast<std::size_t>(n);
  }


  Labels::Labels(const std::size_t n) : dense(4 * n + 64, -1)
  {}


  bool
  Labels::add(const long long label, const int index)
  {
    if (label < 0 || label >= static_cast<long long>(dense.size()))
      return sparse.emplace(label, index).second;
    int &entry       = dense[label];
    const bool fresh = entry < 0;
    if (fresh)
      entry = index;
    return fresh;
  }


  int
  Labels::find(const long long label) const
  {
    if (label >= 0 && label < static_cast<long long>(dense.size()))
      return dense[label];
    const auto entry = sparse.find(label);
    return entry == sparse.end() ? -1 : entry->second;
  }


  void
  add_vertex(MeshFile &mesh, Labels &labels, const Scanner &in,
             const long long label, const std::array<double, 3> &point)
  {
    for (const double x : point)
      if (!std::isfinite(x))
        in.fail("has a coordinate of node " + std::to_string(label) +
                " that is not finite");
    if (!labels.add(label, static_cast<int>(mesh.vertices.size())))
      in.fail("has the node " + std::to_string(label) + " twice");
    mesh.vertices.push_back(point);
    mesh.labels.push_back(label);
  }


  namespace
  {
    bool
    is_id(const long long id)
    {
      return id >= 0 && id < std::numeric_limits<int>::max();
    }
  } // namespace


  int
  check_id(const Scanner &in, const long long id, const std::string &owner)
  {
    if (!is_id(id))
      in.fail("has the id " + std::to_string(id) + " at the " + owner +
              "; legal are 0 to " +
              std::to_string(std::numeric_limits<int>::max() - 1));
    return static_cast<int>(id);
  }


  void
  add_element(MeshFile &mesh, const Labels &labels, const Scanner &in,
              const CellType type, const long long label, const long long id,
              const std::vector<long long> &corners)
  {
    constexpr int order[] = {0, 1, 3, 2, 4, 5, 7, 6};
    // Names cost more time than elements: only errors have them.
    const auto name = [&]() {
      return to_string(type) + ' ' + std::to_string(label);
    };
    MeshFile::Element element{type,
                              is_id(id) ? static_cast<int>(id)
                                        : check_id(in, id, name()),
                              label,
                              {}};
    const bool reordered =
      type == CellType::quadrilateral || type == CellType::hexahedron;
    for (int i = 0; i < n_vertices(type); ++i)
      {
        const long long corner = corners[reordered ? order[i] : i];
        element.vertices[i]    = labels.find(corner);
        if (element.vertices[i] < 0)
          in.fail("has no node " + std::to_string(corner) + ", which the " +
                  name() + " names");
      }
    mesh.elements.push_back(element);
  }


  void
  add_group(MeshFile &mesh, const std::size_t place, const int id)
  {
    int &first = mesh.elements[place].id;
    if (first == 0)
      first = id;
    else if (first != id && id != 0)
      mesh.further_groups[place].insert(id);
  }


  void
  add_name(MeshFile &mesh, const Scanner &in, const int dimension,
           const std::string_view name, const long long id)
  {
    if (dimension < 0 || dimension > 3 || !is_id(id))
      in.fail("has the name '" + printable(name) + "' for the id " +
              std::to_string(id) + " of dimension " +
              std::to_string(dimension) + ", which cannot be");
    if (std::any_of(name.begin(), name.end(),
                    [](const unsigned char c) { return c < ' '; }))
      in.fail("has control characters in the name '" + printable(name) + "'");
    const auto entry = mesh.names[dimension].emplace(name, id);
    if (!entry.second && entry.first->second != id)
      in.fail("has the name '" + printable(name) +
              "' for two ids of dimension " + std::to_string(dimension));
  }


  void
  note_unused(MeshFile &mesh, const std::vector<std::string> &things)
  {
    std::string list;
    for (std::size_t i = 0; i < things.size(); ++i)
      list += (i == 0                  ? ""
               : i + 1 < things.size() ? ", "
                                       : " and ") +
              printable(things[i]);
    if (!list.empty())
      mesh.notes.push_back("of the " + mesh.source +
                           " the following is not used: " + list + '.');
  }
} // namespace tessera::mesh_files
