#include "mesh_scanner.h"

#include <tessera/base/error.h>

#include <deal.II/base/utilities.h>

#include <zlib.h>

#include <cmath>

namespace tessera::mesh_files
{
  namespace
  {
    using Attributes = std::map<std::string, std::string>;

    /// Reads unstructured grids in VTK's XML format, with one piece. Arrays are
    /// text, base64 or appended data, compressed by zlib or not.
    class Vtu
    {
    public:
      Vtu(const std::string_view text, const std::string &source,
          const std::string &wanted = "")
        : text(text), in(text, source)
      {
        arrays.wanted = wanted;
      }

      VtkArrays
      read();

    private:
      std::string_view text;
      Scanner in;
      VtkArrays arrays;
      bool long_header = false, swap = false, compressed = false;
      bool raw_appended    = false;
      std::size_t appended = 0; ///< first byte of appended data, or 0

      /// Returns name and attributes of the tag that begins at `place`, and
      /// moves `place` behind it.
      std::string
      read_tag(std::size_t &place, Attributes &attributes) const;

      template <class T>
      std::vector<T>
      read_array(const Attributes &attributes, std::size_t begin) const;

      /// Returns the bytes of the array at `begin`, which may be in base64.
      std::string
      bytes(std::size_t begin, bool base64) const;

      std::string
      decode(std::size_t &begin, std::size_t n, bool base64) const;
    };


    std::string
    Vtu::read_tag(std::size_t &place, Attributes &attributes) const
    {
      const auto end = text.find('>', place);
      if (end == std::string_view::npos)
        in.fail("is truncated: a tag is not closed by '>'");
      auto tag = text.substr(place + 1, end - place - 1);
      place    = end + 1;
      attributes.clear();
      const auto name_end = tag.find_first_of(" \t\r\n/", 1);
      const std::string name(tag.substr(0, name_end));
      for (auto equals = tag.find('='); equals != std::string_view::npos;
           equals      = tag.find('='))
        {
               const auto key_end = tag.find_last_not_of(" \t\r\n", equals - 1);
               const auto key_begin =
                 tag.find_last_of(" \t\r\n", equals == 0 ? 0 : key_end);
               const auto open  = tag.find_first_of("\"'", equals);
               const auto close = open == std::string_view::npos
                                    ? open
                                    : tag.find(tag[open], open + 1);
               if (close == std::string_view::npos || equals == 0 ||
              key_begin == std::string_view::npos)
            in.fail("has a damaged tag '" + printable(tag) + "'");
          attributes[std::string(
                 tag.substr(key_begin + 1, key_end - key_begin))] =
                 tag.substr(open + 1, close - open - 1);
               tag.remove_prefix(close + 1);
        }
      return name;
    }


    std::string
    Vtu::decode(std::size_t &begin, const std::size_t n,
                const bool base64) const
    {
      if (n > text.size() || begin > text.size())
        in.fail("is truncated or damaged: an array is longer than the file");
      if (!base64)
        {
          begin += n;
          if (begin > text.size())
            in.fail("is truncated: an array ends behind the file");
          return std::string(text.substr(begin - n, n));
        }
      constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      const std::size_t length = (n + 2) / 3 * 4;
      const auto part          = text.substr(begin, length);
      const auto given         = part.substr(0, part.find_last_not_of('=') + 1);
      if (part.size() < length ||
          given.find_first_not_of(digits) != given.npos ||
          given.size() * 3 / 4 < n)
        in.fail("is damaged: an array in base64 ends too early");
      begin += length;
      const auto decoded = dealii::Utilities::decode_base64(std::string(part));
      std::string result(decoded.begin(), decoded.end());
      result.resize(n);
      return result;
    }


    std::string
    Vtu::bytes(std::size_t begin, const bool base64) const
    {
      const std::size_t word = long_header ? 8 : 4;
      const auto header      = [&](const std::string &data, const int i) {
        Scanner numbers(data, "header of an array");
        numbers.move_to(i * word);
        const auto value = long_header ? numbers.binary<std::uint64_t>(swap)
                                            : numbers.binary<std::uint32_t>(swap);
        if (value > (1ull << 40))
          in.fail("is damaged: an array has " + std::to_string(value) +
                       " bytes");
        return static_cast<std::size_t>(value);
      };
      std::size_t place = begin;
      if (!compressed)
        {
          const std::size_t n = header(decode(place, word, base64), 0);
          place               = begin;
          return base64 ? decode(place, word + n, true).substr(word)
                        : decode(place, word + n, false).substr(word);
        }
      const std::size_t n_blocks = header(decode(place, word, base64), 0);
      if (n_blocks > text.size() / word)
        in.fail("is damaged: an array has " + std::to_string(n_blocks) +
                " blocks");
      place            = begin;
      const auto sizes = decode(place, word * (3 + n_blocks), base64);
      std::size_t n    = 0;
      for (std::size_t i = 0; i < n_blocks; ++i)
        n += header(sizes, 3 + i);
      const auto packed   = decode(place, n, base64);
      const std::size_t b = header(sizes, 1), last = header(sizes, 2);
      if (b / 1100 > text.size() || last > b)
        in.fail("is damaged: a block of an array is too long");
      std::string result;
      std::size_t offset = 0;
      for (std::size_t i = 0; i < n_blocks; ++i)
        {
          const std::size_t packed_size = header(sizes, 3 + i);
          uLongf size = i + 1 == n_blocks && last > 0 ? last : b;
          std::string block(size, '\0');
          if (uncompress(reinterpret_cast<Bytef *>(&block[0]), &size,
                         reinterpret_cast<const Bytef *>(&packed[offset]),
                         packed_size) != Z_OK ||
              size != block.size())
            in.fail("is damaged: a block of an array cannot be uncompressed");
          offset += packed_size;
          result += block;
        }
      return result;
    }


    template <class T>
    std::vector<T>
    Vtu::read_array(const Attributes &attributes, std::size_t begin) const
    {
      static const std::map<std::string, int> sizes = {
        {"Int8", 1},    {"UInt8", 1},  {"Int16", 2}, {"UInt16", 2},
        {"Int32", 4},   {"UInt32", 4}, {"Int64", 8}, {"UInt64", 8},
        {"Float32", 4}, {"Float64", 8}};
      const auto attribute = [&attributes](const std::string &name) {
        const auto entry = attributes.find(name);
        return entry == attributes.end() ? std::string() : entry->second;
      };
      const std::string type = attribute("type"), format = attribute("format");
      const auto size = sizes.find(type);
      if (size == sizes.end())
        in.fail("has an array of type '" + printable(type) + "'");
      std::vector<T> result;
      if (format == "ascii" || format.empty())
        {
          const auto end  = text.find('<', begin);
          const auto part = text.substr(begin, end - begin);
          Scanner numbers(part, "array '" + printable(attribute("Name")) +
                                  "' of the " + in.name());
          while (!numbers.at_end())
            result.push_back(static_cast<T>(std::is_integral<T>::value
                                              ? numbers.integer("an integer")
                                              : numbers.real("a number")));
          return result;
        }
      bool base64 = true;
      if (format == "appended")
        {
          Scanner offset(attributes.count("offset") ? attributes.at("offset")
                                                    : attributes.at("format"),
                         "offset of an array");
          const long long shift = offset.integer("a number of bytes");
          if (appended == 0 || shift < 0 ||
              shift > static_cast<long long>(text.size()))
            in.fail("has no appended data at " + std::to_string(shift));
          begin  = appended + shift;
          base64 = !raw_appended;
        }
      else if (format != "binary")
        in.fail("has an array of format '" + printable(format) +
                "'; legal are ascii, binary and appended");
      else
        begin = text.find_first_not_of(" \t\r\n", begin);
      const std::string data = bytes(begin, base64);
      Scanner numbers(data, "array");
      for (std::size_t n = data.size() / size->second; n > 0; --n)
        if (type == "Float32")
          result.push_back(static_cast<T>(numbers.binary<float>(swap)));
        else if (type == "Float64")
          result.push_back(static_cast<T>(numbers.binary<double>(swap)));
        else if (size->second == 1)
          result.push_back(numbers.binary<unsigned char>(swap));
        else if (size->second == 2)
          result.push_back(numbers.binary<std::int16_t>(swap));
        else if (size->second == 4)
          result.push_back(numbers.binary<std::int32_t>(swap));
        else
          result.push_back(numbers.binary<std::int64_t>(swap));
      return result;
    }


    VtkArrays
    Vtu::read()
    {
      Attributes attributes;
      // Appended data are last in the file but needed first.
      if (auto place = text.find("<AppendedData"); place != text.npos)
        {
          read_tag(place, attributes);
          raw_appended = attributes["encoding"] == "raw";
          appended     = text.find('_', place);
          appended     = appended == text.npos ? 0 : appended + 1;
        }
      const std::size_t end = text.find("<AppendedData");
      std::string section;
      int n_pieces = 0;
      bool is_grid = false;
      for (std::size_t place = text.find('<'); place < end;
           place             = text.find('<', place))
        {
                      if (text.substr(place, 4) == "<!--")
            {
                          place = text.find("-->", place);
                          continue;
            }
          const std::string name = read_tag(place, attributes);
                      if (name == "VTKFile")
            {
                          is_grid     = attributes["type"] == "UnstructuredGrid";
                          long_header = attributes["header_type"] == "UInt64";
                          swap        = attributes["byte_order"] == "BigEndian";
                          compressed  = attributes.count("compressor") > 0;
                          if (compressed &&
                  attributes["compressor"] != "vtkZLibDataCompressor")
                in.fail("is compressed by '" +
                                    printable(attributes["compressor"]) +
                                    "'; legal is vtkZLibDataCompressor");
            }
                      else if (name == "Piece" && ++n_pieces > 1)
            in.fail("has several pieces; legal is one");
          else if (name == "Points" || name == "Cells" || name == "CellData" ||
                   name == "PointData" || name == "FieldData")
            section = name;
          else if (name == "DataArray" && is_grid)
            {
                          const std::string array = attributes["Name"];
                          if (section == "Points")
                arrays.points = read_array<double>(attributes, place);
              else if (section == "Cells" && array == "connectivity")
                arrays.connectivity = read_array<long long>(attributes, place);
              else if (section == "Cells" && array == "offsets")
                arrays.offsets = read_array<long long>(attributes, place);
              else if (section == "Cells" && array == "types")
                arrays.types = read_array<long long>(attributes, place);
              else if (section == "FieldData" && array == "subdivisions")
                {
                              const auto n = read_array<long long>(attributes, place);
                              if (n.size() == 1 && n[0] >= 1 && n[0] <= 8)
                    arrays.subdivisions = static_cast<int>(n[0]);
                }
                          else if (section == "CellData" || section == "PointData")
                arrays.take(section == "CellData", array, 0, in, [&]() {
                  return read_array<double>(attributes, place);
                });
            }
        }
      if (!is_grid)
        in.fail("is not a VTK file of type UnstructuredGrid");
      if (text.find("</VTKFile") == text.npos)
        in.fail("is truncated: '</VTKFile>' is missing");
      return std::move(arrays);
    }
  } // namespace


  MeshFile
  read_vtu(const std::string_view text, const std::string &source)
  {
    return make_vtk_mesh(Vtu(text, source).read(), source);
  }


  VtkArrays
  read_vtu_arrays(const std::string_view text, const std::string &source,
                  const std::string &wanted)
  {
    return Vtu(text, source, wanted).read();
  }
} // namespace tessera::mesh_files
