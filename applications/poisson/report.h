#pragma once

#include <tessera/dealii/parameters.h>
#include <tessera/study/record.h>

#include <iosfwd>
#include <string>
#include <vector>

/// One line on stderr: overwritten on a terminal, else only when `done`.
void
progress(const std::string &text, bool done);

/// Whether errors are still those of the mesh rather than of the solver's
/// tolerance or of rounding; else refinement does not reduce them.
struct Resolution
{
  bool L2 = true;
  bool H1 = true;
};

/// Section `Validation`.
struct Validation
{
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError where the numbers of degrees and errors differ, or
  /// something is asked for that `has_exact_solution` and `n_cycles` rule out.
  Validation(const tessera::Parameters &parameters, std::size_t n_degrees,
             bool has_exact_solution, int n_cycles);

  /// True if there is something to check.
  bool
  wanted() const;

  /// Sentences that say what a last case misses; `degree_index` counts the
  /// degrees of the run. No rate is asked of an error that is not resolved.
  std::vector<std::string>
  missed(const tessera::study::Case &entry, std::size_t degree_index,
         const Resolution &resolution) const;

private:
  std::vector<double> L2_errors; ///< of the last cycle, by degree, or none
  bool rates;
  double rate_tolerance;
};

/// The cases of a run as one table a degree.
class Report
{
public:
  /// Cases of a degree come one after the other, by cycle.
  void
  add(const tessera::study::Case &entry, int cycle);

  /// Then the values at probes and the fluxes of the last case of each degree.
  void
  print(std::ostream &out) const;

  const tessera::study::Case *
  last_of(int degree) const;

private:
  struct Entry
  {
    tessera::study::Case entry;
    int cycle;
  };

  void
  print_probes(std::ostream &out) const;
  void
  print_fluxes(std::ostream &out) const;

  std::vector<std::vector<Entry>> degrees;
};
