#include "step_names.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>

namespace tessera::mesh_tools
{
  namespace
  {
    /// A line `#7 = TYPE('...', (#1, #2), .T.)` of the data.
    struct Entity
    {
      std::string type, arguments;
    };

    /// Reads the entities of one type each; entities that consist of several
    /// are left out.
    std::map<long, Entity>
    read_entities(const std::string &text)
    {
      std::map<long, Entity> entities;
      std::string statement;
      bool quoted = false;
      for (const char c : text)
        {
          quoted = quoted != (c == '\'');
          if (c != ';' || quoted)
            {
              if (quoted || std::isspace(static_cast<unsigned char>(c)) == 0)
                statement += c;
              continue;
            }
          const std::size_t equals = statement.find('='),
                            open   = statement.find('(');
          if (!statement.empty() && statement[0] == '#' &&
              equals != std::string::npos && open != std::string::npos &&
              equals + 1 < open)
            entities[std::atol(&statement[1])] = {
              statement.substr(equals + 1, open - equals - 1),
              statement.substr(open + 1)};
          statement.clear();
        }
      return entities;
    }


    /// Returns the string that arguments begin with.
    std::string
    name_in(const std::string &arguments)
    {
      std::string name;
      for (std::size_t i = 1; i < arguments.size() && arguments[0] == '\''; ++i)
        {
          if (arguments[i] == '\'' && arguments[++i] != '\'')
            break; // two stand for one
          name += arguments[i];
        }
      return name;
    }


    std::vector<long>
    references_in(const std::string &arguments)
    {
      std::vector<long> found;
      bool quoted = false;
      for (std::size_t i = 0; i < arguments.size(); ++i)
        {
          quoted = quoted != (arguments[i] == '\'');
          if (!quoted && arguments[i] == '#')
            found.push_back(std::atol(&arguments[i + 1]));
        }
      return found;
    }


    std::vector<std::array<double, 3>>
    corners_of_face(const long face, const std::map<long, Entity> &entities)
    {
      static const std::set<std::string> followed = {
        "ADVANCED_FACE", "FACE_SURFACE",   "FACE_BOUND", "FACE_OUTER_BOUND",
        "EDGE_LOOP",     "ORIENTED_EDGE",  "EDGE_CURVE", "VERTEX_LOOP",
        "VERTEX_POINT",  "CARTESIAN_POINT"};
      std::set<long> seen, open = {face};
      std::vector<std::array<double, 3>> corners;
      while (!open.empty())
        {
          const long number = *open.begin();
          open.erase(open.begin());
          const auto entity = entities.find(number);
          if (entity == entities.end() || !seen.insert(number).second ||
              followed.count(entity->second.type) == 0)
            continue;
          const std::string &arguments = entity->second.arguments;
          if (entity->second.type != "CARTESIAN_POINT")
            for (const long other : references_in(arguments))
              open.insert(other);
          else if (const std::size_t list = arguments.rfind('(');
                   list != std::string::npos)
            {
              std::array<double, 3> point{};
              const char *place = &arguments[list + 1];
              for (double &x : point)
                {
                  char *end = nullptr;
                  x         = std::strtod(place, &end);
                  place     = *end == ',' ? end + 1 : end;
                }
              corners.push_back(point);
            }
        }
      return corners;
    }
  } // namespace


  const StepUnit *
  unit_of_step(const std::string &text)
  {
    std::string compact;
    for (const unsigned char c : text)
      if (std::isspace(c) == 0)
        compact += static_cast<char>(std::toupper(c));
    static const StepUnit units[] = {
      {"CONVERSION_BASED_UNIT('INCH'", "INCH", "inches", "0.0254"},
      {"CONVERSION_BASED_UNIT('FOOT'", "FT", "feet", "0.3048"},
      {"SI_UNIT(.MILLI.,.METRE.)", "MM", "millimetres", "0.001"},
      {"SI_UNIT(.CENTI.,.METRE.)", "CM", "centimetres", "0.01"},
      {"SI_UNIT(.MICRO.,.METRE.)", "UM", "micrometres", "1e-6"},
      {"SI_UNIT(.KILO.,.METRE.)", "KM", "kilometres", "1000"},
      {"SI_UNIT($,.METRE.)", "M", "metres", "1"}};
    for (const StepUnit &unit : units)
      if (compact.find(unit.pattern) != std::string::npos)
        return &unit;
    return nullptr;
  }


  std::string
  describe(const StepUnit *const unit)
  {
    if (unit == nullptr)
      return "Lengths      in millimetres, since the file names no unit that "
             "is known\n";
    return std::string("Lengths      in ") + unit->plural + ", as in the file" +
           (unit->name == std::string("M")
              ? std::string()
              : std::string("; 'Mesh/Scale' = ") + unit->metres +
                  " makes metres of them") +
           '\n';
  }


  std::vector<NamedFace>
  named_faces(const std::string &text, bool &placed)
  {
    const auto entities = read_entities(text);
    placed =
      std::any_of(entities.begin(), entities.end(), [](const auto &entity) {
        return entity.second.type == "ITEM_DEFINED_TRANSFORMATION" ||
               entity.second.type == "MAPPED_ITEM";
      });
    std::vector<NamedFace> faces;
    for (const auto &[number, entity] : entities)
      if (entity.type == "ADVANCED_FACE" || entity.type == "FACE_SURFACE")
        {
          std::string name = name_in(entity.arguments), upper = name;
          std::transform(upper.begin(), upper.end(), upper.begin(),
                         [](const unsigned char c) { return std::toupper(c); });
          if (upper.find_first_not_of(' ') != std::string::npos &&
              upper != "NONE")
            faces.push_back({name, corners_of_face(number, entities)});
        }
    return faces;
  }
} // namespace tessera::mesh_tools
