#pragma once

#include "electrodes.h"
#include "recording.h"

#include "cell_models/activation.h"
#include "cell_models/cell_model.h"
#include "cell_models/traces.h"
#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/output/checkpoint.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// The results that the section `Output` requests in addition to the common
/// ones: a series of potentials, activation times, traces at points and
/// electrodes, conduction velocity.
template <int dim>
class Observation
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError for points with a wrong number of coordinates and
  /// for thresholds that are no numbers.
  Observation(const tessera::Parameters &parameters,
              const tessera::CellModel &model, const std::string &folder);

  /// Returns the times until `end` at which something is written.
  std::vector<double>
  events(double end) const;

  /// Throws ParameterError for a point outside of the mesh and for an electrode
  /// in it.
  void
  check(const tessera::Discretization<dim> &d) const;

  /// An observation of one case. All processes call its functions together.
  class OfCase
  {
  public:
    /// D is the diffusion tensor on the cells of the case.
    OfCase(Observation &observation, tessera::Discretization<dim> &d,
           const tessera::Problem<double> &problem,
           const tessera::Coefficient &D);

    /// Writes what is asked for at the beginning.
    void
    begin(const tessera::Vector<double> &potential);

    /// Looks at a step that ended at `time`. Copies potentials to the host only
    /// at the times at which the series has a step.
    void
    after_step(const tessera::Vector<double> &before,
               const tessera::Vector<double> &after, double time, double step);

    /// Adds what was observed to the state of a computation.
    void
    save(tessera::State &state);

    /// Goes on from a state in place of `begin`. Throws ParameterError if it
    /// does not fit.
    void
    restore(const tessera::State &state);

    /// Adds fields to the files of the case and quantities to its record.
    void
    finish();

    /// Seconds that were spent on writing the series.
    double
    seconds() const
    {
      return written_in;
    }

  private:
    void
    write_series(const tessera::Vector<double> &potential, double time);

    /// Records traces at points and electrodes.
    void
    sample(const tessera::Vector<double> &potential, double time);

    Observation &observation;
    tessera::Discretization<dim> &d;
    tessera::Activation<double> activation;
    /// The share of this process in the values at points.
    std::vector<tessera::Traces<double>::Point> points;
    std::optional<Recording<tessera::Traces<double>>> traces;
    std::optional<Recording<Electrodes>> electrodes;
    std::string name; ///< of the case, in names of files
    /// The times of the series and their files.
    std::vector<std::pair<double, std::string>> written = {};
    double next_of_series = 0, next_of_traces = 0, written_in = 0;
  };

private:
  double interval, trace_interval;
  double rising, falling;
  int subdivisions; ///< of cells in files; 0: the degree
  std::string folder;
  /// The points of traces, followed by the two of the velocity, if any.
  std::vector<dealii::Point<dim>> points;
  std::size_t n_traces;
  ElectrodeColumns columns;
  tessera::SolutionWriter<dim> writer;
};
