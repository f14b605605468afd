#pragma once

#include "abaqus_model.h"
#include "abaqus_text.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::mesh_files
{
  /// Where an instance is: its part is translated, then turned about an axis.
  struct AbaqusPlacement
  {
    std::array<double, 3> translation{};
    std::array<double, 3> point{},
      axis{};         ///< of the axis; its direction has length 1
    double angle = 0; ///< radians

    std::array<double, 3>
    operator()(std::array<double, 3> x) const;
  };

  /// Reads nodes, elements, sets, surfaces, parts and instances of a text of
  /// Abaqus. Keywords that cannot change these are named in a note, all
  /// others are refused.
  class Abaqus
  {
  public:
    Abaqus(const std::string_view text, const std::string &source)
      : in(text, source)
    {
      model.mesh.source = source;
      model.scopes.emplace_back();
    }

    MeshFile
    read();

  private:
    using Words = std::vector<std::string>;

    struct Part
    {
      std::string name;
      std::size_t begin; ///< of what follows *PART
      bool is_used = false;
    };

    AbaqusText in;
    AbaqusModel model;
    std::vector<Part> parts;
    std::map<std::string, int> part_numbers, scope_numbers; ///< by key
    int scope = 0; ///< to which labels and sets that are read belong
    AbaqusPlacement placement;
    bool in_step = false;
    /// Keywords that are passed over, and their lines.
    std::vector<std::pair<std::string, std::set<int>>> not_used;
    std::set<std::string> types_used; ///< of elements

    /// Adds a note with the keywords that are passed over.
    void
    note_keywords();

    /// Adds notes on types of elements that mean more in Abaqus than they do
    /// here.
    void
    note_types();

    /// Reads keywords up to `end`, or all if it is empty.
    void
    read_keywords(const std::string &end = "");
    void
    read_nodes(const AbaqusKeyword &keyword);
    void
    read_elements(const AbaqusKeyword &keyword);
    void
    read_set(const AbaqusKeyword &keyword, const std::string &name_option,
             AbaqusGroups &sets);
    void
    read_surface(const AbaqusKeyword &keyword);
    void
    skip_part(const AbaqusKeyword &keyword);
    void
    read_part(int number, const std::string &instance);
    void
    read_instance(const AbaqusKeyword &keyword);
    void
    read_placement();

    /// Returns the value of an option that a keyword must have.
    std::string
    required(const AbaqusKeyword &keyword, const std::string &option) const;

    /// Returns the number under which a name is known.
    int
    find(const std::map<std::string, int> &numbers, const std::string &name,
         const std::string &thing) const;

    /// Returns the member of a group that a word stands for: a label or a set.
    /// In the model both may follow an instance and a dot.
    AbaqusMember
    member(const std::string &word, int of_scope);

    /// Adds a label that the scope has to one of its sets, if there is one;
    /// `is_first` for the first one of a keyword.
    void
    add_label(AbaqusGroup *set, long long label, bool is_first) const;

    /// Passes over a keyword and its data.
    void
    pass_over(const AbaqusKeyword &keyword);
  };
} // namespace tessera::mesh_files
