#pragma once

#include <tessera/program/parameters.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tessera::benchmarks
{
  using Names = std::vector<std::string>;
  using Lists = std::vector<Names>;

  inline bool
  contains(const Names &names, const std::string &name)
  {
    return std::count(names.begin(), names.end(), name) > 0;
  }

  /// A factor of a study: an entry of the section Factors, which is a list of
  /// values.
  struct FactorEntry
  {
    std::string name, default_value;
    Names legal; ///< the names that `all` stands for; empty for numbers
    Pattern pattern;
    std::string documentation;
    const OptionSet *set = nullptr; ///< the options whose values it has

    std::string
    path() const
    {
      return "Factors/" + name;
    }

    /// Returns the values of the list, each once and in one way of writing,
    /// such as 100000 for 1e5.
    Names
    read(const Parameters &parameters) const;
  };

  using Factors = std::vector<FactorEntry>;

  bool
  has(const Factors &factors, const std::string &name);

  /// Returns the place of a factor.
  std::size_t
  place_of(const Factors &factors, const std::string &name);

  FactorEntry
  factor_of_names(const std::string &name, const std::string &default_value,
                  const Names &legal, const std::string &documentation);

  /// The pattern is for one value.
  FactorEntry
  factor_of_values(const std::string &name, const std::string &default_value,
                   const Pattern &pattern, const std::string &documentation);

  /// Returns one of the factors that several programs have, with another
  /// default if there is one.
  FactorEntry
  factor(const std::string &name, const std::string &default_value = "");

  /// Adds the values of a set of options that studies vary.
  void
  add_options(Factors &factors, const OptionSet &set,
              const std::string &owners);

  /// Adds the options of all operators.
  void
  add_operator_options(Factors &factors);

  /// Returns the names of all choices of a kind, see program/choices.h.
  Names
  names_of(const std::string &kind);

  /// Returns the words of a list, each once, with `all` spelt out.
  Names
  read_names(const Parameters &parameters, const std::string &path,
             const Names &legal);

  /// True if a study varies the cells of generated meshes.
  bool
  generates_meshes(const Factors &factors);

  /// Declares the entries of all studies: the lists of the factors, samples,
  /// seed and error limit, each of which the study names.
  void
  declare_study(Parameters &parameters, const Factors &factors,
                const std::string &n_samples,
                const std::string &error_limit =
                  "larger errors, in units of rounding errors, make a row "
                  "wrong: exit code 5");

  /// Declares how the lists are combined.
  void
  declare_sweep(Parameters &parameters, const Factors &factors,
                const std::string &sweep);

  /// Returns all combinations of one value from every list, the last list
  /// fastest. Throws ParameterError if there are more than anyone waits for.
  Lists
  all_combinations(const Lists &lists);

  /// Returns the values of every factor.
  Lists
  read_factors(const Parameters &parameters, const Factors &factors);

  /// Returns the combinations of the values that `Study/Sweep` and
  /// `Study/Crossed` ask for.
  Lists
  combine(const Parameters &parameters, const Factors &factors,
          const Lists &values);
} // namespace tessera::benchmarks
