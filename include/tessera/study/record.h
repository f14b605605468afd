#pragma once

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tessera::study
{
  /// A number that was not measured; null in the file, as all that is not
  /// finite.
  constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

  using Value    = std::variant<std::int64_t, double, bool, std::string>;
  using Count    = std::optional<std::int64_t>;
  using Counters = std::map<std::string, double>;

  /// The discrete problem of a case.
  struct Problem
  {
    int dim               = 2;
    std::string cell_type = "quadrilateral";
    int degree            = 1;
    std::int64_t cells    = 0;
    std::int64_t dofs     = 0; ///< free ones
    Count nonzeros;
    Count colors; ///< of rows, where the preconditioner goes by them
    std::string numbering;
    std::string chosen; ///< operator that `auto` stands for; empty (null): none
  };

  /// Seconds of the phases of a case; `coefficients` are formulas evaluated at
  /// quadrature points, `setup` is the right-hand side and the preconditioner.
  struct Phases
  {
    double mesh         = not_measured;
    double dofs         = not_measured;
    double flatten      = not_measured;
    double pattern      = not_measured;
    double coefficients = not_measured;
    double upload       = not_measured;
    double assembly     = not_measured;
    double setup        = not_measured;
    double solve        = not_measured;
    double output       = not_measured;
  };

  /// u at a point.
  struct Probe
  {
    std::vector<double> point; ///< [dim]
    double value = not_measured;
  };

  /// The integral of (kappa grad u) . n over a boundary, n pointing outwards.
  struct Flux
  {
    std::int64_t boundary = 0; ///< id in the mesh
    std::string name;          ///< in the mesh, or empty
    double value = not_measured;
  };

  struct Results
  {
    Count iterations;
    std::optional<bool> converged;
    double residual = not_measured;
    double L2_error = not_measured;
    double H1_error = not_measured;
    double L2_rate  = not_measured;
    double H1_rate  = not_measured;
    std::optional<bool> passed; ///< against the tolerances asked for
    std::vector<Probe> probes;
    std::vector<Flux> fluxes;
  };

  /// One solve.
  struct Case
  {
    std::string name;
    Problem problem;
    Phases phases;
    Results results;
    /// What was chosen for the product, see product_parameters.h.
    std::map<std::string, Value> parameters;
    /// Of a product on the device, see kernel_counters.h.
    std::optional<Counters> counters;
  };

  /// A matrix that rows are about, whose name is their case. `statistics` by
  /// name; `row_lengths` pairs a length with the rows that have it.
  struct Matrix
  {
    std::string name;
    std::string source; ///< a file, or what made it
    std::int64_t rows     = 0;
    std::int64_t columns  = 0;
    std::int64_t nonzeros = 0;
    std::map<std::string, double> statistics;
    std::vector<std::pair<std::int64_t, std::int64_t>> row_lengths;
    std::vector<std::vector<std::int64_t>> picture; ///< entries by tile
  };

  /// One measurement. Seconds, bytes and bytes/s; rates are in the unit of
  /// their name.
  struct Row
  {
    std::string case_name;
    std::string kind = "application"; ///< see doc/record.schema.json
    std::string op;                   ///< "operator" in the file
    std::string library = "tessera";
    std::string backend;
    std::string number;
    int degree = 1;                 ///< 0 (null): it has none
    std::string strategy, conflict; ///< empty (null): it has none
    std::string numbering;
    std::int64_t dofs     = 0; ///< free ones
    std::int64_t cells    = 0;
    double seconds_min    = not_measured;
    double seconds_median = not_measured;
    double seconds_spread = not_measured; ///< see Statistics
    int samples           = 0;
    double gdofs_per_s    = not_measured;
    double gcells_per_s   = not_measured;
    Count compulsory_bytes, stored_bytes;
    double paper_bytes       = not_measured; ///< models::transfer
    double bandwidth         = not_measured; ///< compulsory bytes a second
    double fraction_of_copy  = not_measured; ///< of device.copy_bandwidth
    double fraction_of_model = not_measured; ///< see models.h
    double gflops            = not_measured;
    double setup_seconds     = not_measured;
    Count memory_bytes;
    double padding             = not_measured; ///< stored per needed entry
    double cg_iterations_per_s = not_measured;
    std::map<std::string, Value> parameters;
    std::optional<Counters> counters;
    /// Of a choice before anything is measured: what was counted of the
    /// product, and the seconds predicted from that; empty: nothing was.
    std::map<std::string, double> work;
    double error = not_measured; ///< max |y - y_ref| / (eps sum |a| |x|)
    std::optional<bool> repeatable;
    bool completed = true;
    std::string reason; ///< why it is not completed, or empty
  };

  /// The record of one run, `record.json`: doc/record.schema.json says what is
  /// in it. From `open` on the file is replaced as a whole (a temporary file
  /// and a rename) after every case and row, so that whatever ends the run
  /// leaves a complete file; its status is "running" until `finish`.
  class Record
  {
  public:
    Record(const std::string &program,
           const std::vector<std::string> &arguments);

    /// Entries of the parameter file by path, "Section/Key".
    void
    set_parameters(const std::map<std::string, std::string> &parameters);

    void
    set_seed(std::uint64_t seed);

    /// `copy_bandwidth`: bytes read and written a second by a device-to-device
    /// copy, where it was measured.
    void
    set_device(const runtime::DeviceProperties &device,
               double copy_bandwidth = not_measured);

    /// Makes the folder and leaves what is in it. Throws ParameterError where
    /// the folder cannot be made or written to.
    static void
    check_folder(const std::string &folder);

    /// Writes the first record into the folder, in the place of an earlier
    /// one. Throws what `check_folder` throws.
    void
    open(const std::string &folder);

    void
    add(const Case &entry);

    void
    add(const Row &entry);

    void
    add(const Matrix &entry);

    /// Sets status ("done", "failed" or "interrupted") and exit code. Of an
    /// unwritable file only a warning to stderr is left here.
    void
    finish(ExitCode code, const std::string &message = "");

    /// Writes the file if `open` was called. Throws Error where that fails.
    void
    flush() const;

    /// Of the file; empty before `open`.
    const std::string &
    path() const
    {
      return file;
    }

    /// The text of the file.
    std::string
    json() const;

    const std::vector<Case> &
    cases() const
    {
      return all_cases;
    }

    const std::vector<Row> &
    rows() const
    {
      return all_rows;
    }

  private:
    std::string program, timestamp, file;
    std::string status = "running", message;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> parameters;
    std::optional<std::uint64_t> seed;
    std::optional<ExitCode> exit_code;
    std::optional<runtime::DeviceProperties> device;
    double copy_bandwidth = not_measured;
    std::vector<Case> all_cases;
    std::vector<Row> all_rows;
    std::vector<Matrix> all_matrices;
  };
} // namespace tessera::study
