#pragma once

#include "factors.h"
#include "report.h"

#include <tessera/base/backend.h>
#include <tessera/base/error.h>
#include <tessera/operators/options.h>
#include <tessera/program/command_line.h>

#include <exception>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

// The engine of all programs that measure. A program declares factors, first
// the ones that are expensive to change. `Study` reads their values and makes
// variants of them. `run_levels` goes through the variants: objects that they
// share are made once, and the last level measures. `finish` prints the
// table and the verdict.
namespace tessera::benchmarks
{
  /// One measurement: a value of every factor, by the name of the list. A value
  /// is empty where the measurement does not depend on the factor.
  class Variant
  {
  public:
    Variant(const Factors &factors, Names values, std::string kind)
      : kind(std::move(kind)), factors(&factors), values(std::move(values))
    {}

    std::string &
    operator[](const std::string &factor)
    {
      return values[place_of(*factors, factor)];
    }

    const std::string &
    operator[](const std::string &factor) const
    {
      return values[place_of(*factors, factor)];
    }

    /// Returns the value of a factor, or another one where the program has no
    /// such factor.
    std::string
    get(const std::string &factor, const std::string &otherwise = "") const
    {
      return has(*factors, factor) ? (*this)[factor] : otherwise;
    }

    /// Returns the options that the values of the factors stand for.
    OptionValues
    options() const;

    /// Adds these values to the parameters of a row.
    void
    show_options(program::Row &row) const;

    bool
    operator<(const Variant &other) const
    {
      return std::tie(kind, values) < std::tie(other.kind, other.values);
    }

    std::string kind; ///< of rows, in programs that have several

  private:
    const Factors *factors;
    Names values;
  };

  using Variants = std::vector<Variant>;

  inline Backend
  backend_of(const Variant &variant)
  {
    return variant.get("Backends") == to_string(Backend::cuda) ? Backend::cuda
                                                               : Backend::host;
  }

  /// Returns the variants with the same values of the factors together, in the
  /// order in which these values come first.
  std::vector<Variants>
  group_by(const Variants &variants, const Names &factors);

  /// Returns the values of a factor that the variants have, in their order,
  /// without empty ones.
  Names
  values_of(const Variants &variants, const std::string &factor);

  /// The study of a parameter file. Parameters and factors must outlive it.
  struct Study
  {
    /// Backend `auto` is replaced by the backend chosen for `device`.
    Study(const Parameters &parameters, const Factors &factors, int device = 0);

    /// Returns the values of a factor.
    const Names &
    operator[](const std::string &factor) const
    {
      return values[place_of(factors, factor)];
    }

    /// Returns the variants that `Study/Sweep` and `Study/Crossed` ask for,
    /// with each of the kinds. `canonical` empties the values on which a
    /// variant does not depend; variants that are then the same occur once.
    Variants
    variants(const std::function<void(Variant &)> &canonical,
             const Names &kinds = {""}) const;

    /// Returns the variants of all combinations of some factors; values of
    /// other factors are empty.
    Variants
    variants_of(
      const Names &some,
      const std::function<void(Variant &)> &canonical = [](Variant &) {}) const;

    const Parameters &parameters;
    const Factors &factors;
    Lists values;
    int n_samples;
    std::uint64_t seed;
    double distortion; ///< of generated meshes, in mesh widths
    double error_limit;

  private:
    Variants
    make(const Lists &combinations, const Names &kinds,
         const std::function<void(Variant &)> &canonical) const;
  };

  /// Returns options for `n_samples` that end a measurement after a signal.
  program::MeasureOptions
  timing_of(int n_samples);

  /// Puts the options --backend and --threads into the place of the lists of
  /// backends and, if there is one, of threads.
  Parameters &
  with_options(Parameters &parameters, const program::CommandLine &line,
               bool has_threads);

  /// Chooses a backend. Makes the device of the command line the current one
  /// or, where it names none, one for each of several processes.
  BackendChoice
  use_backend(const std::string &name, const program::CommandLine &line,
              const Team &team = {});

  /// Does the same with the backend of the command line, which it prints to
  /// stderr, and sets threads as the command line asks.
  Backend
  begin(const program::CommandLine &line, const Team &team = {});

  /// Opens the record with parameters and seed. If the backend is a device, the
  /// record gets the current one with its copy bandwidth.
  void
  open(program::Record &record, const Parameters &parameters,
       const program::CommandLine &line, Backend backend,
       double copy_bandwidth);

  /// Does the same for a study of several backends, in the first of the
  /// processes. `use_device` makes a device the current one. If it throws
  /// DeviceError, the record has none, and rows will say so.
  void
  open(program::Record &record, const Study &study,
       const program::CommandLine &line,
       const std::function<void()> &use_device, const Team &team = {});

  /// Prints that all is well where --validate was given.
  ExitCode
  valid();

  /// Calls `work`. If there is no device, no memory or no such combination,
  /// calls `give_up` with the exception, which a row then reports. Throws
  /// after a signal, and if one of several processes fails alone.
  void
  attempt(const std::function<void()> &work,
          const std::function<void(const std::exception_ptr &)> &give_up,
          const Team &team = {});

  /// An object shared by variants that have the same values of some factors.
  struct Level
  {
    Names factors;
    /// Makes it, or, in the last level, measures. May remove variants that then
    /// are not measured.
    std::function<void(Variants &group)> make;
    /// Is called after the levels below, which used the object.
    std::function<void(const Variants &group)> end = {};
  };

  /// Measures the variants from the first level, which is expensive to make, to
  /// the last one. If a level cannot be made, `give_up` is called with its
  /// group, see `attempt`; if there is no such function, that ends the study.
  void
  run_levels(
    const Variants &variants, const std::vector<Level> &levels,
    const std::function<void(const Variants &, const std::exception_ptr &)>
      &give_up       = {},
    const Team &team = {});

  /// Calls `sweep`, which fills the report, and prints the table, the verdict
  /// and where the record is. If `sweep` throws, the rows until then are
  /// printed, and the verdict never says that all is well. Throws
  /// ValidationFailed where the report is wrong.
  ExitCode
  finish(const program::Record &record, const Report &report,
         const std::function<void()> &sweep);
} // namespace tessera::benchmarks
