#include "our_solver.h"
#include "study.h"

#include <factors.h>
#include <host_solvers.h>

#include <tessera/base/backend.h>
#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/program/option_entries.h>

#include <algorithm>
#include <set>

using namespace tessera;

namespace
{
  using namespace benchmarks;

  Names
  peer_names()
  {
    Names names = {"cusparse_none", "cusparse_jacobi", "cusparse_ic0",
                   "cusparse_ilu0"};
    for (const HostSolver &solver : host_solvers)
      names.push_back(solver.name);
    return names;
  }

  std::vector<const OptionSet *>
  sets_where_varied_is(const bool varied)
  {
    std::vector<const OptionSet *> sets = preconditioner_option_sets();
    sets.erase(std::remove_if(sets.begin(), sets.end(),
                              [varied](const OptionSet *const set) {
                                return set->varied_as.empty() == varied;
                              }),
               sets.end());
    return sets;
  }

  /// The lists, in the order of `Factor`.
  const std::vector<FactorEntry> &
  factors()
  {
    static const std::vector<FactorEntry> all = []() {
      FactorEntry operators =
        factor_of_names("Operators", "csr, sell, matrix_free", operator_names(),
                        "how A x is computed; see --list; of a matrix file the "
                        "operators that store rows and are made from a "
                        "pattern");
      operators.pattern.summary      = "all or a list of operators of --list";
      std::vector<FactorEntry> lists = {
        factor("Cell types"),
        factor("Degrees"),
        factor_of_values("Sizes", "1e4", Patterns::Double(1., 1e9),
                         "free degrees of freedom, about"),
        factor("Backends"),
        factor_of_names("Numbers", "double", {"double", "float", "mixed"},
                        "number types of operator, preconditioner and vectors; "
                        "mixed: solves in double whose preconditioner, or with "
                        "defect_correction all but residuals, is in float"),
        operators,
        factor_of_names("Preconditioners", "jacobi", preconditioner_names(),
                        "M of conjugate gradients; see --list"),
        factor_of_names("Methods", "classical", method_names(),
                        "methods of conjugate gradients, see --list; auto: the "
                        "one that suits operator and preconditioner; "
                        "defect_correction: corrections in float of a solution "
                        "in double, of the number mixed")};
      for (const OptionSet *const set : varied_sets())
        add_options(lists, *set, preconditioners_with(*set));
      return lists;
    }();
    return all;
  }

  /// Empties what the solve does not depend on.
  Variant
  canonical(Variant v, const Study &study)
  {
    if (study.of_file())
      for (const Factor factor :
           {Factor::cell_type, Factor::degree, Factor::dofs})
        v[factor].clear();
    const auto &M = preconditioner_descriptor(v[Factor::preconditioner]);
    for (std::size_t i = 0; i < varied_sets().size(); ++i)
      if (!M.has(*varied_sets()[i]))
        v[option_factor(i)].clear();
    return v;
  }
} // namespace


const std::vector<const OptionSet *> &
varied_sets()
{
  static const std::vector<const OptionSet *> sets = sets_where_varied_is(true);
  return sets;
}


std::vector<const OptionSet *>
common_sets()
{
  return sets_where_varied_is(false);
}


void
declare_parameters(Parameters &parameters)
{
  const auto file = [&](const std::string &name,
                        const std::string &documentation) {
    parameters.declare("Problem/" + name, "", Patterns::Anything(),
                       documentation);
  };
  parameters.declare("Problem/Form", "laplace",
                     Patterns::Selection("laplace|elasticity"),
                     "of generated meshes, with constant full tensors");
  file("Matrix",
       "file of a symmetric positive definite matrix, Matrix Market or a "
       "binary copy of one; empty: meshes are generated");
  file("Right-hand side",
       "file of b, Matrix Market of the format array; "
       "empty: b = A x*");
  file("Solution",
       "file of the known solution x*, in the same format; empty: "
       "not known, or made up where there is no b either");
  declare_study(parameters, factors(), "3",
                "largest deviation of a product, in rounding errors of "
                "the longest row; above it a row is wrong: exit code 5");
  declare_sweep(parameters, factors(), "full");
  parameters.declare("Study/Peers", "", names_or_all(peer_names(), true),
                     "solvers of other libraries beside ours: those with "
                     "cuSPARSE and cuBLAS on the device in every number type, "
                     "those of PETSc and Trilinos ML on the host in double, "
                     "in the processes of mpirun");
  parameters.declare("Study/Largest condition number", "1e9",
                     Patterns::Double(1.),
                     "a row is wrong as well if its error is more than the "
                     "residual times this");
  parameters.declare("Solver/Relative tolerance", "1e-8",
                     Patterns::Double(0., 1.),
                     "of the norm of the right-hand side");
  for (const OptionSet *const set : common_sets())
    declare_options(parameters, "Solver", *set, preconditioners_with(*set));
  parameters.declare("Solver/Maximal iterations", "10000", Patterns::Integer(1),
                     "a solve that needs more is a row that did not converge");
}


Study
read_study(const Parameters &parameters, const int device)
{
  Study study;
  study.values = read_factors(parameters, factors());
  for (std::string &backend : study.values[static_cast<int>(Factor::backend)])
    if (backend == "auto")
      backend = to_string(choose_backend("auto", device).backend);
  const auto file = [&](const std::string &name) {
    const std::string path = "Problem/" + name;
    return parameters.get(path).empty() ? "" : parameters.get_file(path);
  };
  study.elasticity      = parameters.get("Problem/Form") == "elasticity";
  study.matrix          = file("Matrix");
  study.right_hand_side = file("Right-hand side");
  study.solution        = file("Solution");
  if (!study.of_file() &&
      !(study.right_hand_side.empty() && study.solution.empty()))
    throw ParameterError(
      "'Problem/Right-hand side' and 'Problem/Solution' "
      "belong to a matrix, but 'Problem/Matrix' is empty.");
  study.combinations = combine(parameters, factors(), study.values);
  study.peers        = read_names(parameters, "Study/Peers", peer_names());
  study.n_samples    = parameters.get_integer("Study/Samples");
  study.seed         = parameters.get_integer("Study/Seed");
  study.error_limit  = parameters.get_double("Study/Error limit");
  study.largest_condition =
    parameters.get_double("Study/Largest condition number");
  study.options            = read_options(parameters, "Solver", common_sets());
  study.relative_tolerance = parameters.get_double("Solver/Relative tolerance");
  study.max_iterations = parameters.get_integer("Solver/Maximal iterations");
  return study;
}


std::vector<Variant>
variants(const Study &study)
{
  std::vector<Variant> result;
  std::set<std::vector<std::string>> known;
  for (const auto &combination : study.combinations)
    {
      const Variant variant = canonical({combination}, study);
      if (known.insert(variant.values).second)
        result.push_back(variant);
    }
  return result;
}


OptionValues
options_of(const Study &study, const Variant &variant)
{
  OptionValues options;
  for (std::size_t i = 0; i < varied_sets().size(); ++i)
    if (const std::string &text = variant[option_factor(i)]; !text.empty())
      options.merge(varied_sets()[i]->read(text));
  const auto &M = preconditioner_descriptor(variant[Factor::preconditioner]);
  for (const OptionSet *const set : common_sets())
    if (M.has(*set))
      for (const Option &option : set->options)
        if (const auto found = study.options.find(option.name);
            found != study.options.end())
          options.insert(*found);
  return options;
}
