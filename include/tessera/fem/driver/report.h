#pragma once

#include <tessera/fem/driver/linear_system.h>
#include <tessera/program/parameters.h>
#include <tessera/program/record.h>

#include <functional>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace tessera
{
  /// Section `Validation`.
  struct Validation
  {
    static void
    declare(Parameters &parameters);

    /// Throws ParameterError if the numbers of degrees and errors differ, or
    /// if a check is impossible because of `has_exact_solution` or
    /// `n_cycles`.
    Validation(const Parameters &parameters, const std::vector<int> &degrees,
               bool has_exact_solution, int n_cycles);

    /// True if there is something to check.
    bool
    wanted() const;

    /// Sentences about the checks that the last case of a degree fails. An
    /// error that is due to the solver's tolerance or to rounding rather than
    /// to the mesh needs no rate.
    std::vector<std::string>
    missed(const program::Case &entry, bool L2_resolved,
           bool H1_resolved) const;

  private:
    std::map<int, double> L2_errors; ///< of the last cycle, by degree, or none
    bool rates;
    double rate_tolerance;
  };

  /// Copies the end of a solve to results.
  void
  describe_end(program::Results &results, const Solution &solution);

  /// Checks a sum that is zero for the solution of the discrete problem: the
  /// fluxes and sources, or the loads and reactions in one direction. `of`
  /// names them, `magnitude` is the sum of their magnitudes, `all` the same for
  /// all directions, and `given` the part of sources or loads, which are known
  /// without the solution. A sum above a millionth of `all` is off, and a note
  /// reports it, unless nothing is given and only rounding is left.
  ///
  /// The case fails, `this_case.missed`, if the sum is also above a thousandth
  /// of `magnitude` and neither the tolerance of the solver nor rounding
  /// explains it: it may be a hundred times the relative tolerance, or eps, of
  /// `resolution()`. This is what would flow if the solution fell to 0 within a
  /// cell of the boundary; it may be expensive. All processes have to call this
  /// function, with the same numbers.
  void
  check_balance(SolverCase &this_case, const std::string &of, double sum,
                double magnitude, double all, double given,
                const std::function<double()> &resolution);

  /// Prints the cases of a study, which are sorted by degree and cycle, as one
  /// table per degree; then the values at probes and the fluxes of the last
  /// case of every degree.
  void
  print_cases(const std::vector<program::Case> &cases, std::ostream &out);
} // namespace tessera
