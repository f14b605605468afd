#include "abaqus_reader.h"

#include <cmath>

namespace tessera::mesh_files
{
  std::array<double, 3>
  AbaqusPlacement::operator()(std::array<double, 3> x) const
  {
    for (int d = 0; d < 3; ++d)
      x[d] += translation[d];
    if (angle == 0)
      return x;
    const double c = std::cos(angle), s = std::sin(angle);
    std::array<double, 3> v;
    double along = 0;
    for (int d = 0; d < 3; ++d)
      {
        v[d] = x[d] - point[d];
        along += axis[d] * v[d];
      }
    for (int d = 0; d < 3; ++d)
      {
        const int e = (d + 1) % 3, f = (d + 2) % 3;
        x[d] = point[d] + c * v[d] + (1 - c) * along * axis[d] +
               s * (axis[e] * v[f] - axis[f] * v[e]);
      }
    return x;
  }


  void
  Abaqus::skip_part(const AbaqusKeyword &keyword)
  {
    in.check_options(keyword, {"NAME"});
    const std::string name = required(keyword, "NAME");
    const auto number      = static_cast<int>(parts.size());
    if (!part_numbers.emplace(abaqus_key(name), number).second)
      in.fail("has the part '" + printable(name) + "' twice" + in.in_line());
    parts.push_back({abaqus_name(name), in.where()});
    AbaqusKeyword inside;
    do
      in.skip_data();
    while (in.next(inside) && inside.name != "ENDPART");
    if (inside.name != "ENDPART")
      in.fail("is truncated: it ends before '*END PART'");
  }


  void
  Abaqus::read_part(const int number, const std::string &instance)
  {
    scope = static_cast<int>(model.scopes.size());
    model.scopes.emplace_back();
    model.scopes.back().name   = instance;
    model.scopes.back().part   = number;
    parts[number].is_used      = true;
    const std::size_t position = in.where();
    in.move_to(parts[number].begin);
    read_keywords("ENDPART");
    in.move_to(position);
  }


  void
  Abaqus::read_instance(const AbaqusKeyword &keyword)
  {
    in.check_options(keyword, {"NAME", "PART"});
    const std::string name = required(keyword, "NAME");
    const int part = find(part_numbers, required(keyword, "PART"), "part");
    if (!scope_numbers
           .emplace(abaqus_key(name), static_cast<int>(model.scopes.size()))
           .second)
      in.fail("has the instance '" + printable(name) + "' twice" +
              in.in_line());
    read_placement();
    read_part(part, abaqus_name(name));
    read_keywords("ENDINSTANCE"); // which may add to its part
    scope     = 0;
    placement = {};
  }


  void
  Abaqus::read_placement()
  {
    Words words;
    if (!in.next(words))
      return;
    words.resize(std::max<std::size_t>(words.size(), 3));
    if (words.size() > 3)
      in.fail(words[3], "the end of a translation");
    for (int d = 0; d < 3; ++d)
      placement.translation[d] = in.real(words[d], "a translation");
    if (!in.next(words))
      return;
    words.resize(std::max<std::size_t>(words.size(), 7));
    if (words.size() > 7)
      in.fail(words[7], "the end of a rotation");
    double squares = 0;
    for (int d = 0; d < 3; ++d)
      {
        placement.point[d] = in.real(words[d], "a point of an axis");
        placement.axis[d] =
          in.real(words[3 + d], "a point of an axis") - placement.point[d];
        squares += placement.axis[d] * placement.axis[d];
      }
    placement.angle = in.real(words[6], "an angle in degrees") * M_PI / 180;
    if (!(squares > 0))
      in.fail("has an axis of rotation through one point alone" + in.in_line());
    for (double &component : placement.axis)
      component /= std::sqrt(squares);
    if (in.next(words))
      in.fail(words.empty() ? "" : words[0],
              "'*END INSTANCE' or a keyword behind a rotation");
  }


  int
  Abaqus::find(const std::map<std::string, int> &numbers,
               const std::string &name, const std::string &thing) const
  {
    const auto found = numbers.find(abaqus_key(name));
    if (found == numbers.end())
      in.fail("has no " + thing + " '" + printable(abaqus_name(name)) +
              "', which line " + std::to_string(in.line()) + " names");
    return found->second;
  }
} // namespace tessera::mesh_files
