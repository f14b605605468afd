#pragma once

#include <tessera/forms/form.h>
#include <tessera/preconditioners/algebraic_levels.h>
#include <tessera/preconditioners/descriptor.h>
#include <tessera/space/coarser_space.h>

#include <memory>
#include <string>
#include <vector>

namespace tessera
{
  /// A coarser level that is a space on cells of the mesh.
  struct GeometricLevel
  {
    std::shared_ptr<const Space> space;
    /// The cells, if they were made on a device; otherwise null.
    std::shared_ptr<const CellData<double>> cells;
    std::shared_ptr<const LatticeMap> map; ///< to the next finer level
    Form form; ///< with the coefficient on its cells
    /// True for one component, if the finer cells are not stretched
    /// (`is_stretched`), so that the finer level has to smooth the upper
    /// three quarters of its spectrum.
    bool is_isotropic  = true;
    SharedNodes shared = {}; ///< for ghosts of the space
  };

  struct GeometricLevelsOptions
  {
    /// Levels with at most this many rows are not coarsened further.
    int max_coarsest = 512;
    /// Handles conflicts of the products on all levels.
    Conflict conflict = Conflict::atomics;
    /// The cells of the finest space on the backend, if they exist there.
    std::shared_ptr<const CellData<double>> cells = {};
    /// Ends where cells are stretched or coefficients jump (`Hindrance`).
    bool ends_at_hindrances = false;
    /// Levels of aggregates below, if there are any.
    AlgebraicLevelsOptions below = {};
    std::shared_ptr<const OtherParts> others =
      std::make_shared<const OtherParts>();
  };

  /// The coarser levels of a linear form on quadrilaterals or hexahedra: the
  /// degree is halved (rounded up) until it is 1, and then cells are joined,
  /// 2^dim at a time, as long as they are the children of larger cells. Each
  /// level has the form itself, with coefficients averaged over finer cells, so
  /// nothing is assembled. If more than `max_coarsest` rows remain at the end,
  /// the matrix of the last space is assembled, and levels of aggregates
  /// follow.
  ///
  /// A part of a mesh has its part of each space, of larger cells where all
  /// parts have all children of each; divided levels of aggregates always
  /// follow. All parts make the levels together, and all end where one of them
  /// meets a hindrance.
  ///
  /// On a device, spaces of one component whose products add atomically are
  /// made there, without the host; others are made on the host.
  ///
  /// These levels suit coefficients that vary slowly; aggregates know which
  /// couplings are strong.
  class GeometricLevels
  {
  public:
    /// Makes the levels below a space. There are none if the space is small, if
    /// no node of the coarser space is free, or if its cells are inverted.
    /// Throws what `check` and AlgebraicLevels throw, in all parts.
    GeometricLevels(std::shared_ptr<const Space> finest, const Form &form,
                    Backend backend,
                    const GeometricLevelsOptions &options = {});

    /// Throws what `check_coarsening` throws, and ParameterError for a form
    /// that reads a solution or is not symmetric.
    static void
    check(const Space &finest, const Form &form);

    const std::shared_ptr<const Space> &
    finest() const
    {
      return own_space;
    }

    /// The levels, finest first.
    const std::vector<GeometricLevel> &
    levels() const
    {
      return of_mesh;
    }

    /// The levels of aggregates below the last space, or null.
    const AlgebraicLevels *
    below() const
    {
      return aggregates.get();
    }

    const OtherParts &
    others() const
    {
      return *options.others;
    }

    /// The matrix of the last space, if there are no levels below it.
    const SparseMatrix &
    coarsest() const
    {
      return last;
    }

    Backend
    backend() const
    {
      return where;
    }

    Conflict
    conflict() const
    {
      return options.conflict;
    }

    /// Returns why aggregates follow or there is no level, as a part of a
    /// sentence.
    const std::string &
    end() const
    {
      return end_of_levels;
    }

    /// The hindrance at which they end.
    Hindrance
    hindrance() const
    {
      return met;
    }

    /// Returns how many levels have larger cells.
    int
    n_refinements() const;

    /// Returns the rows of all levels per row of the finest one, of all parts.
    double
    grid_complexity() const;

    /// Returns the seconds that the set-up took.
    double
    seconds() const
    {
      return set_up_seconds;
    }

  private:
    const Messages &
    messages() const
    {
      return *options.others->messages;
    }

    bool
    ends_at(const Hindrance hindrance) const
    {
      return options.ends_at_hindrances && hindrance != Hindrance::none;
    }

    /// Adds levels as long as they are large. `step` makes the next one, of a
    /// lower degree or, for degree 0, of larger cells, and returns its
    /// hindrance.
    template <class Step>
    void
    make(const Form &form, const Step &step);

    /// Returns the ghosts of the last space, or null if there is one part.
    std::unique_ptr<const GhostsOfPart>
    ghosts_of_last() const;

    void
    make_on_host(const Form &form);

    void
    make_on_device(const Form &form);

    void
    make_below();

    const Space &
    last_space() const
    {
      return of_mesh.empty() ? *own_space : *of_mesh.back().space;
    }

    /// True if the last space can become coarser.
    bool
    is_large() const
    {
      return n_nodes.back() * own_space->n_components > options.max_coarsest;
    }

    std::shared_ptr<const Space> own_space;
    Backend where;
    GeometricLevelsOptions options;
    std::vector<GeometricLevel> of_mesh;
    /// The free nodes of all parts of each space, finest first.
    std::vector<std::int64_t> n_nodes;
    std::unique_ptr<const AlgebraicLevels> aggregates;
    SparseMatrix last;
    std::string end_of_levels = "no larger cells with free nodes were divided";
    Hindrance met             = Hindrance::none;
    double set_up_seconds     = 0;
  };
} // namespace tessera
