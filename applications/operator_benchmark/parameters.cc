#include "study.h"

#include <list_entry.h>

#include <tessera/base/backend.h>
#include <tessera/fem/input/choices.h>
#include <tessera/fem/input/patterns.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/space/cell_type.h>

#include <algorithm>

using namespace tessera;

namespace
{
  namespace Patterns = dealii::Patterns;
  using namespace benchmarks;

  const Names kinds = {"application", "assembly", "preconditioner", "cg"};
  const Names peers = {"dealii_sparse_matrix", "dealii_matrix_free",
                       "trilinos_epetra", "cusparse"};

  struct Entry : ListEntry
  {
    Factor factor;
    const OptionSet *set = nullptr; ///< if it is one of options
  };

  Entry
  of_names(const Factor factor, const std::string &name,
           const std::string &default_value, const Names &legal,
           const std::string &documentation)
  {
    return {entry_of_names(name, default_value, legal, documentation), factor};
  }

  Entry
  of_values(const Factor factor, const std::string &name,
            const std::string &default_value,
            const Patterns::PatternBase &pattern,
            const std::string &documentation)
  {
    return {entry_of_values(name, default_value, pattern, documentation),
            factor};
  }

  /// Adds the sets of options that are varied.
  std::vector<Entry>
  with_options(std::vector<Entry> entries)
  {
    for (std::size_t i = 0; i < varied_sets().size(); ++i)
      {
        const OptionSet &set = *varied_sets()[i];
        const std::string documentation =
          "for " + owners_of(set) + ": " + set.sentence();
        if (!set.words().empty())
          entries.push_back(of_names(option_factor(i), set.varied_as,
                                     set.text({}), set.words(), documentation));
        else if (set.options.size() > 1)
          entries.push_back(of_values(option_factor(i), set.varied_as,
                                      set.text({}), Patterns::Anything(),
                                      documentation));
        else
          entries.push_back(
            of_values(option_factor(i), set.varied_as, set.text({}),
                      option_value(set.options.front()), documentation));
        entries.back().set = &set;
      }
    return entries;
  }

  const std::vector<Entry> &
  entries()
  {
    Names routes = {"default"}; // what is appended to has no other
    for (const Route route : legal_routes("csr"))
      routes.push_back(to_string(route));
    Names conflicts = names_of("conflict");
    conflicts.insert(conflicts.begin(), "default");
    Entry operators =
      of_names(Factor::op, "Operators", "csr, ell, local_matrices, matrix_free",
               operator_names(),
               "how A x is computed; see --list; auto, which is not of all: " +
                 descriptor(auto_operator).sentence);
    operators.pattern = std::make_shared<TestedPattern>(names_or_all(
      operator_choices(), false, "all or a list of operators of --list"));
    static const std::vector<Entry> all = with_options(
      {operators,
       of_names(Factor::strategy, "Strategies", "local_reuse",
                names_of("strategy"),
                "how entries of cell matrices are computed; see --list"),
       of_names(
         Factor::route, "Routes", "default", routes,
         "who writes the entries of assembled rows; see --list; default: "
         "what suits operator, cells and backend, and scatter with a "
         "conflict handling that is not default"),
       of_names(Factor::conflict, "Conflicts", "default", conflicts,
                "how threads that add to one entry are kept apart; see --list; "
                "default: what suits the backend"),
       of_names(Factor::numbering, "Numberings", "batch_interleaved",
                names_of("numbering"),
                "orders of the degrees of freedom; see --list"),
       of_names(Factor::cell_order, "Cell orders", "hilbert",
                names_of("cell order"), "orders of the cells; see --list"),
       of_values(Factor::block_side, "Block sides",
                 std::to_string(default_block_side),
                 Patterns::Integer(1, max_block_side),
                 "cells a direction of a block, of numberings and cell orders "
                 "that go by blocks"),
       of_names(Factor::number, "Numbers", "double", {"double", "float"},
                "number types of vectors and operators"),
       of_names(Factor::backend, "Backends", "auto", names_of("backend"),
                "where to compute; the option --backend replaces the list"),
       of_names(Factor::cell_type, "Cell types", "quadrilateral",
                {to_string(CellType::quadrilateral),
                 to_string(CellType::hexahedron), to_string(CellType::triangle),
                 to_string(CellType::tetrahedron)},
                "of generated meshes with distorted cells"),
       of_values(Factor::degree, "Degrees", "1", Patterns::Integer(1, 4),
                 "polynomial degrees, on triangles and tetrahedra up to 2"),
       of_values(Factor::dofs, "Degrees of freedom", "1e5",
                 Patterns::Double(1., 1e9),
                 "free ones, about: meshes of all degrees have as many"),
       of_names(Factor::preconditioner, "Preconditioners", "jacobi",
                plain_preconditioner_names(),
                "alone and in conjugate gradients; see --list"),
       of_values(Factor::carveout, "Shared memory", "auto",
                 option_value({"", "", "", {"auto"}, 0, 100}),
                 "per cent of a multiprocessor's L1 cache that kernels ask for "
                 "as shared memory; auto: as the driver chooses"),
       of_values(
         Factor::threads, "Threads", "0", Patterns::Integer(0, 32767),
         "of each process on the host; 0: all cores that it may use, or "
         "its share of them; the option --threads replaces the list")});
    return all;
  }

  Names
  entry_names()
  {
    Names names;
    for (const Entry &entry : entries())
      names.push_back(entry.name);
    return names;
  }

  /// Numbers without what they may be written with, as 1e5 and 100000.
  std::string
  plain(const Entry &entry, const std::string &value)
  {
    if (entry.set != nullptr)
      return entry.set->text(entry.set->read(value));
    if (!entry.legal.empty() || value == "auto")
      return value;
    return plain_integer(value);
  }
} // namespace


void
declare_parameters(Parameters &parameters)
{
  parameters.declare("Study/Sweep", "one_factor",
                     Patterns::Selection("one_factor|full"),
                     "one_factor: the first value of each list is the "
                     "baseline, around which each list is varied alone; full: "
                     "all combinations; those that are the same are measured "
                     "once");
  parameters.declare("Study/Crossed", "", names_or_all(entry_names(), true),
                     "entries of Factors that one_factor varies together with "
                     "every other one");
  parameters.declare("Study/Kinds", "all", names_or_all(kinds),
                     "what is measured of each: y = A x; computing and writing "
                     "the entries that are stored; z = M^-1 r; an iteration of "
                     "conjugate gradients");
  parameters.declare("Study/Peers", "all", names_or_all(peers, true),
                     "libraries beside the rows of the host with the same "
                     "threads; cusparse: beside csr on the device");
  parameters.declare("Study/Pin threads", "true", Patterns::Bool(),
                     "whether each thread of the host has a core of its own, "
                     "near the memory that it touched first; threads of peers "
                     "share as many cores");
  parameters.declare("Study/Samples", "20", Patterns::Integer(1, 100000),
                     "timings of a row");
  parameters.declare("Study/Seed", "1", Patterns::Integer(0, 1 << 30),
                     "of mesh and vectors");
  parameters.declare("Study/Error limit", "300", Patterns::Double(0.),
                     "larger errors, in units of rounding errors, make a row "
                     "wrong: exit code 5");
  parameters.declare("Study/Error limit of peers", "1e5", Patterns::Double(0.),
                     "the same of deal.II and Trilinos; deal.II adds up "
                     "Jacobians from global coordinates, which costs it the "
                     "digits of coordinate over mesh width");
  for (const Entry &entry : entries())
    parameters.declare(entry.path(), entry.default_value, *entry.pattern,
                       entry.documentation);
  accept_gather_as_conflict(parameters, "Factors/Conflicts", "Factors/Routes");
}


Study
read_study(const Parameters &parameters, const int device, const int n_threads)
{
  Study study;
  for (const Entry &entry : entries())
    {
      Names &values = study.values[static_cast<int>(entry.factor)];
      for (const std::string &value :
           read_names(parameters, entry.path(), entry.legal))
        values.push_back(plain(entry, value));
    }
  for (std::string &backend : study.values[static_cast<int>(Factor::backend)])
    if (backend == "auto")
      backend = to_string(choose_backend("auto", device).backend);

  for (std::string &threads : study.values[static_cast<int>(Factor::threads)])
    if (threads == "0")
      threads = std::to_string(n_threads);

  study.full  = parameters.get("Study/Sweep") == "full";
  study.kinds = read_names(parameters, "Study/Kinds", kinds);
  study.peers = read_names(parameters, "Study/Peers", peers);
  for (const std::string &name :
       read_names(parameters, "Study/Crossed", entry_names()))
    for (const Entry &entry : entries())
      if (entry.name == name)
        study.crossed.push_back(entry.factor);
  study.pin_threads      = parameters.get_bool("Study/Pin threads");
  study.n_samples        = parameters.get_integer("Study/Samples");
  study.seed             = parameters.get_integer("Study/Seed");
  study.error_limit      = parameters.get_double("Study/Error limit");
  study.peer_error_limit = parameters.get_double("Study/Error limit of peers");
  return study;
}
