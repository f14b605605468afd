#include "our_solver.h"
#include "study.h"

#include <tessera/base/error.h>
#include <tessera/operators/factory.h>
#include <tessera/preconditioners/factory.h>
#include <tessera/program/option_entries.h>

#include <algorithm>

using namespace tessera;
using namespace benchmarks;

namespace
{
  Peers
  all_peers()
  {
    return peers_where(
      [](const PeerDescriptor &peer) { return peer.measures("solve"); });
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

  /// The sets of options that are the same for all solves.
  const std::vector<const OptionSet *> &
  common_sets()
  {
    static const auto sets = sets_where_varied_is(false);
    return sets;
  }
} // namespace


const Factors &
factors()
{
  static const Factors all = []() {
    FactorEntry operators =
      factor_of_names("Operators", "csr, sell, matrix_free", operator_names(),
                      "how A x is computed; see --list; of a matrix file the "
                      "operators that store rows and are made from a "
                      "pattern");
    operators.pattern.summary = "all or a list of operators of --list";

    Factors lists = {
      factor("Forms"),
      factor("Cell types"),
      factor("Degrees"),
      factor("Degrees of freedom", "1e4"),
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
    for (const OptionSet *const set : sets_where_varied_is(true))
      add_options(lists, *set, preconditioners_with(*set));
    return lists;
  }();
  return all;
}


void
declare_parameters(Parameters &parameters)
{
  const auto file = [&](const std::string &name,
                        const std::string &documentation) {
    parameters.declare("Problem/" + name, "", Patterns::Anything(),
                       documentation);
  };
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
  declare_peers(parameters, all_peers(), "",
                "solvers of other libraries beside ours, see --list: on a "
                "device in every number type, on the host in double, in the "
                "processes of mpirun");
  parameters.declare("Study/Largest condition number", "1e9",
                     Patterns::Double(1.),
                     "a row is wrong as well if its error is more than the "
                     "residual times this");
  parameters.declare("Solver/Relative tolerance", "1e-8",
                     Patterns::Double(0., 1.),
                     "the largest norm of b - A x, relative to the norm of b");
  for (const OptionSet *const set : common_sets())
    declare_options(parameters, "Solver", *set, preconditioners_with(*set));
  parameters.declare("Solver/Maximal iterations", "10000", Patterns::Integer(1),
                     "a solve that needs more is a row that did not converge");
}


namespace
{
  std::string
  file_of(const Parameters &parameters, const std::string &name)
  {
    const std::string path = "Problem/" + name;
    return parameters.get(path).empty() ? "" : parameters.get_file(path);
  }
} // namespace


SolverStudy::SolverStudy(Parameters &given, const program::CommandLine &line)
  : Study(with_options(given, line, false), ::factors(), line.device),
    line(line), matrix(file_of(given, "Matrix")),
    right_hand_side(file_of(given, "Right-hand side")),
    solution(file_of(given, "Solution")), peers(read_peers(given, all_peers())),
    common(read_options(given, "Solver", common_sets())),
    relative_tolerance(given.get_double("Solver/Relative tolerance")),
    largest_condition(given.get_double("Study/Largest condition number")),
    max_iterations(given.get_integer("Solver/Maximal iterations")),
    solves(variants([this](Variant &v) { make_canonical(v); }))
{
  if (!of_file() && !(right_hand_side.empty() && solution.empty()))
    throw ParameterError(
      "'Problem/Right-hand side' and 'Problem/Solution' "
      "belong to a matrix, but 'Problem/Matrix' is empty.");
  if (of_file())
    files = read_system(matrix, right_hand_side, solution);
}


void
SolverStudy::make_canonical(Variant &v) const
{
  if (of_file())
    for (const char *of_mesh :
         {"Forms", "Cell types", "Degrees", "Degrees of freedom"})
      v[of_mesh].clear();
  const auto &M = preconditioner_descriptor(v["Preconditioners"]);
  for (const FactorEntry &list : factors)
    if (list.set != nullptr && !M.has(*list.set))
      v[list.name].clear();
}


OptionValues
SolverStudy::options_of(const Variant &variant) const
{
  OptionValues options = variant.options();
  const auto &M        = preconditioner_descriptor(variant["Preconditioners"]);
  for (const OptionSet *const set : common_sets())
    if (M.has(*set))
      for (const Option &option : set->options)
        if (const auto found = common.find(option.name); found != common.end())
          options.insert(*found);
  return options;
}
