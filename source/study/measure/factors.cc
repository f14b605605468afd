#include "factors.h"
#include "oracle.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/program/choices.h>
#include <tessera/program/text.h>
#include <tessera/solvers/cg_method.h>
#include <tessera/space/cell_type.h>
#include <tessera/space/numbering.h>

#include <cmath>
#include <stdexcept>

namespace tessera::benchmarks
{
  FactorEntry
  factor_of_names(const std::string &name, const std::string &default_value,
                  const Names &legal, const std::string &documentation)
  {
    return {name, default_value, legal, names_or_all(legal), documentation};
  }

  FactorEntry
  factor_of_values(const std::string &name, const std::string &default_value,
                   const Pattern &pattern, const std::string &documentation)
  {
    return {
      name, default_value, {}, Patterns::List(pattern, 1, 64), documentation};
  }

  void
  add_options(Factors &factors, const OptionSet &set, const std::string &owners)
  {
    const std::string text = owners + ": " + set.sentence();
    const Pattern any      = Patterns::Anything();
    factors.push_back(
      set.words().empty()
        ? factor_of_values(
            set.varied_as, set.text({}),
            set.options.size() > 1 ? any : option_value(set.options.front()),
            text)
        : factor_of_names(set.varied_as, set.text({}), set.words(), text));
    factors.back().set = &set;
  }

  void
  add_operator_options(Factors &factors)
  {
    for (const OptionSet *const set : option_sets())
      if (!set->varied_as.empty())
        add_options(factors, *set, owners_of(*set));
  }

  Names
  FactorEntry::read(const Parameters &parameters) const
  {
    Names values;
    for (const std::string &word : read_names(parameters, path(), legal))
      {
        std::string value = word;
        if (set != nullptr)
          value = set->text(set->read(word));
        else if (const auto read = program::number(word); read && legal.empty())
          value = std::to_string(std::llround(*read));
        if (!contains(values, value))
          values.push_back(value);
      }
    return values;
  }

  namespace
  {
    /// Returns the names of a kind and before them `default`.
    Names
    or_default(Names names)
    {
      names.insert(names.begin(), "default");
      return names;
    }

    Factors
    common_factors()
    {
      Names routes; // what is appended to has no other
      for (const Route route : legal_routes("csr"))
        routes.push_back(to_string(route));
      Factors all = {
        factor_of_names("Forms", scalar_form, {scalar_form, vector_form},
                        "the forms, with constant full tensors"),
        factor_of_names(
          "Operators", "csr, ell, local_matrices, matrix_free",
          operator_names(),
          "how A x is computed; see --list; auto, which is not of all: " +
            descriptor(auto_operator).sentence),
        factor_of_names("Strategies", default_strategy, names_of("strategy"),
                        "how entries of cell matrices are computed; see "
                        "--list"),
        factor_of_names(
          "Routes", "default", or_default(routes),
          "who writes the entries of assembled rows; see --list; default: "
          "what suits operator, cells and backend, and scatter with a "
          "conflict handling that is not default"),
        factor_of_names("Conflicts", "default",
                        or_default(names_of("conflict")),
                        "how threads that add to one entry are kept apart; see "
                        "--list; default: what suits the backend"),
        factor_of_names("Numberings", default_numbering, names_of("numbering"),
                        "orders of the degrees of freedom; see --list"),
        factor_of_names("Cell orders", "mesh", names_of("cell order"),
                        "orders of the cells; see --list"),
        factor_of_values(
          "Block sides", std::to_string(default_block_side),
          Patterns::Integer(1, max_block_side),
          "cells a direction of a block, of numberings and cell orders "
          "that go by blocks"),
        factor_of_names("Numbers", "double", {"double", "float"},
                        "number types of vectors and operators"),
        factor_of_names("Backends", "auto", names_of("backend"),
                        "where to compute; the option --backend replaces the "
                        "list"),
        factor_of_names(
          "Cell types", "quadrilateral",
          {to_string(CellType::quadrilateral), to_string(CellType::hexahedron),
           to_string(CellType::triangle), to_string(CellType::tetrahedron)},
          "the cells of generated meshes, which are distorted"),
        factor_of_values("Degrees", "1", Patterns::Integer(1, 4),
                         "polynomial degrees, on triangles and tetrahedra up "
                         "to 2"),
        factor_of_values("Degrees of freedom", "1e5", Patterns::Double(1., 2e9),
                         "free ones, about: meshes of all degrees have as "
                         "many"),
        factor_of_names("Preconditioners", "jacobi",
                        plain_preconditioner_names(),
                        "alone and in conjugate gradients; see --list"),
        factor_of_names("Methods", "classical", cg_method_names(),
                        "methods of conjugate gradients; see --list"),
        factor_of_values(
          "Shared memory", "auto", option_value({"", "", "", {"auto"}, 0, 100}),
          "per cent of a multiprocessor's L1 cache that kernels ask for "
          "as shared memory; auto: as the driver chooses")};
      all[1].pattern = names_or_all(operator_choices(), false,
                                    "all or a list of operators of --list");
      return all;
    }
  } // namespace

  FactorEntry
  factor(const std::string &name, const std::string &default_value)
  {
    static const Factors all = common_factors();
    FactorEntry result       = all[place_of(all, name)];
    if (!default_value.empty())
      result.default_value = default_value;
    return result;
  }

  bool
  has(const Factors &factors, const std::string &name)
  {
    return std::any_of(factors.begin(), factors.end(),
                       [&](const FactorEntry &f) { return f.name == name; });
  }

  std::size_t
  place_of(const Factors &factors, const std::string &name)
  {
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (factors[i].name == name)
        return i;
    throw std::logic_error("There is no factor '" + name + "'.");
  }

  Names
  names_of(const std::string &kind)
  {
    Names names;
    for (const Choice &choice : choices(kind).choices)
      names.push_back(choice.name);
    return names;
  }

  Names
  read_names(const Parameters &parameters, const std::string &path,
             const Names &legal)
  {
    Names names;
    for (const std::string &word : parameters.get_list(path))
      if (word == "all" && !legal.empty())
        return legal;
      else if (!contains(names, word))
        names.push_back(word);
    return names;
  }

  bool
  generates_meshes(const Factors &factors)
  {
    return std::any_of(factors.begin(), factors.end(), [](const auto &factor) {
      return factor.name == "Cell types";
    });
  }

  void
  declare_study(Parameters &parameters, const Factors &factors,
                const std::string &n_samples, const std::string &error_limit)
  {
    parameters.declare("Study/Samples", n_samples, Patterns::Integer(1, 100000),
                       "timings of a row");
    parameters.declare("Study/Seed", "1", Patterns::Integer(0, 1 << 30),
                       "the seed of random matrices, meshes and vectors");
    if (generates_meshes(factors))
      parameters.declare("Study/Distortion", "0.2", Patterns::Double(0, 0.24),
                         "how far the vertices of generated meshes are moved, "
                         "in widths of a cell; 0: cells are boxes");
    parameters.declare("Study/Error limit", "300", Patterns::Double(0.),
                       error_limit);
    for (const FactorEntry &factor : factors)
      parameters.declare(factor.path(), factor.default_value, factor.pattern,
                         factor.documentation);
  }

  void
  declare_sweep(Parameters &parameters, const Factors &factors,
                const std::string &sweep)
  {
    Names names;
    for (const FactorEntry &factor : factors)
      names.push_back(factor.name);
    parameters.declare(
      "Study/Sweep", sweep, Patterns::Selection("one_factor|full"),
      "one_factor: the first value of each list is the "
      "baseline, around which each list is varied alone; full: "
      "all combinations; those that are the same are measured "
      "once");
    parameters.declare(
      "Study/Crossed", "", names_or_all(names, true),
      "entries of Factors that one_factor varies together with "
      "every other one");
  }

  Lists
  read_factors(const Parameters &parameters, const Factors &factors)
  {
    Lists values;
    for (const FactorEntry &factor : factors)
      values.push_back(factor.read(parameters));
    return values;
  }

  Lists
  all_combinations(const Lists &lists)
  {
    constexpr std::size_t most = 100000;
    Lists result(1);
    for (const Names &list : lists)
      {
        if (result.size() * list.size() > most)
          throw ParameterError("The entries of 'Factors' have more than " +
                               std::to_string(most) +
                               " combinations; shorten a list or set "
                               "'Study/Sweep' to one_factor.");
        Lists longer;
        for (const Names &begun : result)
          for (const std::string &value : list)
            {
              longer.push_back(begun);
              longer.back().push_back(value);
            }
        result = std::move(longer);
      }
    return result;
  }

  Lists
  combine(const Parameters &parameters, const Factors &factors,
          const Lists &values)
  {
    if (parameters.get("Study/Sweep") == "full")
      return all_combinations(values);
    const Names asked = parameters.get_list("Study/Crossed");
    Lists result;
    for (std::size_t varied = 0; varied < values.size(); ++varied)
      {
        Lists shortened = values;
        for (std::size_t i = 0; i < values.size(); ++i)
          if (i != varied && asked != Names{"all"} &&
              !contains(asked, factors[i].name))
            shortened[i].resize(1);
        for (Names &combination : all_combinations(shortened))
          result.push_back(std::move(combination));
      }
    return result;
  }
} // namespace tessera::benchmarks
