#pragma once

#include <tessera/fem/driver/discretization.h>
#include <tessera/fem/output/checkpoint.h>
#include <tessera/program/timing.h>

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

/// The section `Checkpoint`: when a computation writes its state to the output
/// folder, and whether it continues from a state there.
class Checkpoints
{
public:
  static void
  declare(tessera::Parameters &parameters);

  /// Throws ParameterError if a computation is to go on and `folder` has no
  /// checkpoint of any case.
  Checkpoints(const tessera::Parameters &parameters, const std::string &folder);

  /// True if the run goes on from an earlier one.
  bool
  restarts() const
  {
    return is_restart;
  }

  /// The checkpoints of one case. A run may go on from them in another number
  /// of processes. The first process writes what all hand to it piece by piece,
  /// and each reads its part; all call the functions together.
  class OfCase
  {
  public:
    /// Throws ParameterError for a state of another problem or behind the end,
    /// and where not all processes find the same state. Says in notes which
    /// stimuli and observations are others. `d` must outlive this object.
    template <int dim>
    OfCase(const Checkpoints &checkpoints,
           const tessera::Discretization<dim> &d);

    /// Returns the state to go on from, once, or nothing if the case begins.
    std::optional<tessera::State>
    take();

    /// Writes a state after a step, if it is time.
    void
    after_step(const std::function<tessera::State()> &state);

    /// Writes the state at the end of the case, unless it is not wanted and the
    /// run was not interrupted.
    void
    finish(const std::function<tessera::State()> &state, bool interrupted);

  private:
    void
    write(tessera::State state);

    /// Returns the checkpoint of the case. It is made by the first call. All
    /// processes call it together.
    const tessera::Checkpoint &
    file();

    const Checkpoints &checkpoints;
    const tessera::SolverCase &this_case;
    const std::function<std::unique_ptr<const tessera::Checkpoint>()> make_file;
    std::unique_ptr<const tessera::Checkpoint> stored;
    std::vector<double> corners; ///< of the mesh, as a state has them
    std::optional<tessera::State> earlier;
    int n_steps = 0; ///< since the last checkpoint
    tessera::program::Timer since;
  };

private:
  const int steps;
  const double minutes;
  const bool at_end;
  const double end;
  const bool is_restart;
  const std::string folder;
  /// The entries that must be the same in a run that goes on, and the entries
  /// that may differ, which a note then names.
  std::map<std::string, std::string> problem, said;
};
