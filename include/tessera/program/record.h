#pragma once

#include <tessera/base/error.h>
#include <tessera/base/runtime.h>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tessera::program
{
  /// Represents a number that was not measured. The file contains null for it,
  /// and for every number that is not finite.
  constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

  using Value    = std::variant<std::int64_t, double, bool, std::string>;
  using Count    = std::optional<std::int64_t>;
  using Counters = std::map<std::string, double>;

  /// Iterations and their residuals.
  using History = std::vector<std::pair<std::int64_t, double>>;

  /// Returns the residuals of all iterations times `factor`, or of many
  /// iterations about 200 at equal distances and the last one.
  History
  history_of(const std::vector<double> &residuals, double factor = 1);

  /// A boundary of the mesh of a case.
  struct Boundary
  {
    std::int64_t id = 0;
    std::string names; ///< such as "'inlet', 'wall'", or empty
    std::int64_t faces = 0;
  };

  /// The discrete problem of a case.
  struct Problem
  {
    int dim               = 2;
    std::string cell_type = "quadrilateral";
    int degree            = 1;
    std::int64_t cells    = 0;
    std::int64_t dofs     = 0; ///< free degrees of freedom
    Count nonzeros;
    Count colors; ///< colours of rows, if the preconditioner uses them
    std::string numbering;
    std::string chosen; ///< operator that `auto` chose; empty (null) if none
    std::vector<Boundary> boundaries;
  };

  /// Seconds of the phases of a case. `coefficients` is the evaluation of
  /// formulas at quadrature points; `setup` is the right-hand side and the
  /// preconditioner.
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
    double evaluation   = not_measured; ///< of derived quantities
    double output       = not_measured;
  };

  /// The solution u at a point.
  struct Probe
  {
    std::vector<double> point; ///< [dim]
    double value = not_measured;
  };

  /// The integral of (kappa grad u) . n over a boundary, where n points
  /// outwards.
  struct Flux
  {
    std::int64_t boundary = 0; ///< boundary id in the mesh
    std::string name;          ///< name in the mesh, or empty
    double value = not_measured;
  };

  /// A number that is derived from the solution, such as "strain energy".
  struct Quantity
  {
    std::string name;
    double value              = not_measured;
    std::vector<double> point = {}; ///< [dim] where it is; empty: nowhere
  };

  struct Results
  {
    Count iterations;
    std::optional<bool> converged;
    std::string ended; ///< how the solve ended, in one sentence
    double residual      = not_measured; ///< of the recurrence
    double true_residual = not_measured; ///< computed anew from the solution
    History history;                     ///< norms of residuals
    double L2_error      = not_measured;
    double H1_error      = not_measured;
    double maximum_error = not_measured; ///< at the points of the norms
    double L2_rate       = not_measured;
    double H1_rate       = not_measured;
    /// Result of the check against tolerances, if there are any.
    std::optional<bool> passed;
    std::vector<Probe> probes;
    std::vector<Flux> fluxes;
    std::vector<Quantity> quantities;
  };

  /// The record of one solve.
  struct Case
  {
    std::string name;
    Problem problem;
    Phases phases;
    Results results;
    /// The parameters of the operator's layout and product.
    std::map<std::string, Value> parameters;
    /// The counters of a product on the device, see kernel_counters.h.
    std::optional<Counters> counters;
  };

  /// A matrix that was measured. Rows refer to it by its name, which is their
  /// `case_name`. `statistics` are given by name; `row_lengths` contains pairs
  /// of a length and the number of rows that have it.
  struct Matrix
  {
    std::string name;
    std::string source; ///< a file, or the generator
    std::int64_t rows     = 0;
    std::int64_t columns  = 0;
    std::int64_t nonzeros = 0;
    std::map<std::string, double> statistics;
    std::vector<std::pair<std::int64_t, std::int64_t>> row_lengths;
    /// Number of entries by tile.
    std::vector<std::vector<std::int64_t>> picture;
  };

  /// A solve of a row of the kind `solve`. Residuals are relative to the norm
  /// of the right-hand side, and the start vector is 0.
  struct Solve
  {
    std::string preconditioner, method;
    double tolerance = 0; ///< the requested tolerance
    Count iterations;
    bool converged = false;
    std::string end;                         ///< how the solve ended
    double operator_seconds  = not_measured; ///< for making the operator
    double solve_seconds     = not_measured; ///< median
    double iteration_seconds = not_measured;
    double iteration_bytes   = not_measured; ///< by the model
    double residual          = not_measured; ///< by the recurrence
    double true_residual     = not_measured; ///< |b - A x| in double
    double error             = not_measured; ///< |x - x*| / |x*|
    double t10               = not_measured; ///< seconds for ten digits
    History history;                         ///< of the recurrence
  };

  /// One measurement. Times are in seconds, sizes in bytes and bandwidths in
  /// bytes per second; other rates have their unit in their name.
  struct Row
  {
    std::string case_name;
    std::string kind = "application"; ///< see doc/record.schema.json
    std::string op;                   ///< "operator" in the file
    std::string library = "tessera";
    std::string backend;
    std::string number;
    int degree = 1;                        ///< 0 (null) if it has none
    std::string strategy, route, conflict; ///< empty (null) if it has none
    std::string numbering;
    std::int64_t dofs     = 0; ///< free degrees of freedom
    std::int64_t cells    = 0;
    double seconds_min    = not_measured;
    double seconds_median = not_measured;
    double seconds_spread = not_measured; ///< see Statistics
    int samples           = 0;
    double gdofs_per_s    = not_measured;
    double gcells_per_s   = not_measured;
    Count compulsory_bytes, stored_bytes;
    double paper_bytes = not_measured; ///< as a paper counts
    double bandwidth   = not_measured; ///< compulsory bytes per second
    /// Relative to device.copy_bandwidth.
    double fraction_of_copy  = not_measured;
    double fraction_of_model = not_measured; ///< see models.h
    double gflops            = not_measured;
    double setup_seconds     = not_measured;
    Count memory_bytes;
    double padding             = not_measured; ///< stored entries per nonzero
    double cg_iterations_per_s = not_measured;
    std::map<std::string, Value> parameters;
    std::optional<Counters> counters;
    /// If the format was chosen without measurement: the counts of the product
    /// and the predicted seconds. Otherwise empty.
    std::map<std::string, double> work;
    std::optional<Solve> solve;  ///< of the kind `solve`
    double error = not_measured; ///< max |y - y_ref| / (eps sum |a| |x|)
    std::optional<bool> repeatable;
    bool completed = true;
    std::string reason; ///< why not completed, or empty
  };

  /// The record of one run, `record.json`; doc/record.schema.json describes
  /// its contents. After `open`, the file is replaced as a whole (by a
  /// temporary file and a rename) after every case and row, so that any end of
  /// the run leaves a complete file. Its status is "running" until `finish`.
  /// The record of an earlier run stays until the first case, row or matrix is
  /// added.
  class Record
  {
  public:
    Record(const std::string &program,
           const std::vector<std::string> &arguments);

    /// Sets the entries of the parameter file by path, "Section/Key".
    void
    set_parameters(const std::map<std::string, std::string> &parameters);

    void
    set_seed(std::uint64_t seed);

    /// Sets the device. `copy_bandwidth` is the measured number of bytes that a
    /// device-to-device copy reads and writes per second.
    void
    set_device(const runtime::DeviceProperties &device,
               double copy_bandwidth = not_measured);

    /// Makes the folder if it does not exist; its contents stay. Throws
    /// ParameterError if the folder cannot be made or written to.
    static void
    check_folder(const std::string &folder);

    /// Reserves the folder for this record until it is destroyed: throws
    /// ParameterError if a record of another run has it, and what
    /// `check_folder` throws. If the file system has no locks, nothing is
    /// locked.
    void
    claim(const std::string &folder);

    /// Calls `claim` if that was not done. From then on the record is
    /// written into the folder: at once if there is none yet. `finish`
    /// names result files of an earlier run there that this run did not
    /// write.
    void
    open(const std::string &folder);

    /// Declares that this run continues an earlier run, whose files belong to
    /// this record.
    void
    keep_earlier_files()
    {
      keeps_earlier_files = true;
    }

    void
    add(const Case &entry);

    void
    add(const Row &entry);

    void
    add(const Matrix &entry);

    /// Sets status ("done", "failed" or "interrupted") and exit code. If the
    /// file cannot be written at this point, only a warning is printed to
    /// stderr.
    void
    finish(ExitCode code, const std::string &message = "");

    /// Writes the file if `open` was called. Throws Error if this fails.
    void
    flush();

    /// Returns the path of the file; empty before `open`.
    const std::string &
    path() const
    {
      return file;
    }

    /// Returns true if the file belongs to this run.
    bool
    is_written() const
    {
      return written;
    }

    /// Returns the contents of the file.
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
    void
    name_earlier_files() const;

    std::string program, timestamp, file;
    std::shared_ptr<const int> claimed; ///< folder, open and locked
    std::string claimed_folder;
    /// Results of an earlier run by name, with the time of their last change.
    std::map<std::string, std::filesystem::file_time_type> earlier_files;
    bool keeps_earlier_files = false, written = false;
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
} // namespace tessera::program
