#pragma once

#include <tessera/assembly/options.h>

#include <map>
#include <optional>

namespace tessera
{
  /// Options by their names in parameter files, for example
  /// {{"Slice lanes", "64"}, {"Slice window", "256"}}. An option that is left
  /// out has its default value.
  using OptionValues = std::map<std::string, std::string>;

  using StorageOptions = OptionValues; ///< of operators

  /// An option of operators or preconditioners: its name and meaning in
  /// parameter files, and its legal values, which are words, integers, or real
  /// numbers of an open interval.
  struct Option
  {
    std::string name, sentence, default_value;
    std::vector<std::string> words = {}; ///< legal besides numbers
    int least = 1, most = 0;             ///< legal integers; none if most < 1
    /// True if all numbers between `least` and `most` are legal, and these two
    /// are not.
    bool is_real = false;

    bool
    is_legal(const std::string &value) const;

    /// Returns for example "auto or an integer n such that 0 <= n <= 9".
    std::string
    legal() const;

    /// Returns the same as the end of a sentence: "legal is auto".
    std::string
    what_is_legal() const;

    /// Returns the value among the options, numbers in their shortest form.
    std::string
    value(const OptionValues &options) const;

    /// Returns the integer among the options, or nothing if it is a word.
    std::optional<int>
    number(const OptionValues &options) const;

    /// Returns the real number among the options.
    double
    real(const OptionValues &options) const;
  };

  /// A set of options that belong together. They are described once, even if
  /// several operators or preconditioners have them.
  struct OptionSet
  {
    std::vector<Option> options;
    bool device_only = false; ///< the host accepts only the default
    /// The name of the list by which studies and benchmarks vary the set. A
    /// value of the list is one value for each option, separated by colons; the
    /// last ones may be left out. If empty, the set is not varied.
    std::string varied_as = {};
    /// True if assembly is measured for every value, because the set changes
    /// where entries are stored.
    bool in_assembly = false;
    /// Throws ParameterError if legal values do not go together; null if they
    /// always do.
    void (*check)(const OptionValues &options) = nullptr;
    /// If not empty, several processes accept only the default. These words
    /// explain the default, for example "0, the rows of a node".
    std::string default_of_processes = {};

    /// Returns the key in records: the name of the option, or of the list if
    /// there are several, such as `sell_window`.
    std::string
    key() const;

    /// Reads a value of the list; options that have their defaults are left
    /// out. Throws ParameterError.
    OptionValues
    read(const std::string &text) const;

    /// Inverse of `read`, with all values written out.
    std::string
    text(const OptionValues &options) const;

    /// Returns the legal values of the list if they are few words; otherwise
    /// nothing.
    std::vector<std::string>
    words() const;

    /// Returns what a value of the list means.
    std::string
    sentence() const;
  };

  /// Throws ParameterError if an option is in none of the sets, or if a value
  /// is not legal. `owner` names the owner of the options: "the preconditioner
  /// ssor".
  void
  check_values(const OptionValues &values,
               const std::vector<const OptionSet *> &sets,
               const std::string &owner);

  struct AssemblyTiming
  {
    double pattern = 0; ///< seconds: sparsity pattern, slots and upload
    double values  = 0; ///< seconds: computing and writing the entries
  };

  struct FormatChoice;

  struct AssemblyOptions
  {
    /// How an operator keeps its matrix and multiplies by it. Every option
    /// belongs to certain operators only; `check_options` throws if it is set
    /// for another one.
    StorageOptions storage = {};
    std::string strategy   = default_strategy;
    /// Conflict handling of cell operators and of assembly, which scatters
    /// faces even if rows are gathered. Without a value, the default of the
    /// backend is used.
    std::optional<Conflict> conflict = {};
    /// The route of assembly into rows. Without a value, it is the
    /// `default_route` of the operator, the cell type and the backend, which
    /// scatters if conflict handling was asked for.
    std::optional<Route> route = {};
    /// True if rows of nodes with components are stored entry by entry, even if
    /// the format could store blocks.
    bool single_entries = false;
    /// True if an operator of rows keeps the data for assembling new values
    /// (`Assembler`). Otherwise the first `Operator::update` makes it.
    bool keeps_assembler   = false;
    AssemblyTiming *timing = nullptr;
    /// If not null, the operator `auto` stores here the candidates of its
    /// choice and their times (format_choice.h).
    FormatChoice *choice = nullptr;
  };
} // namespace tessera
