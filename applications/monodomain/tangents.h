#pragma once

#include "cell_models/point_membrane.h"
#include <tessera/fem/driver/linear_system.h>

#include <memory>
#include <string>

/// The systems of Newton's method within implicit steps. The matrix is the
/// tangent of the points (PointMembrane) at the time of `assemble`.
///
/// The operator and the preconditioner of the parameters serve them, on the
/// backend of the case. For comparisons (WongKuhlDarve2015, figures 2 and 15)
/// another library assembles and solves them on the host, or a device solves
/// what the host assembles.
class Tangents
{
public:
  using Vector = tessera::Vector<double>;

  virtual ~Tangents() = default;

  /// Gets ready for systems with that tau.
  virtual void
  prepare(double /*tau*/)
  {}

  virtual void
  assemble() = 0;

  /// Solves for the tau that was prepared last; x is zero before. The larger
  /// one of `absolute_tolerance` and of the entry `Solver/Absolute tolerance`
  /// counts.
  virtual tessera::CGResult
  solve(Vector &x, const Vector &b, double absolute_tolerance) = 0;

  /// Returns the system that multiplies and is written to files, once `prepare`
  /// was called; null if the backend does not have it.
  virtual const tessera::LinearSystem<double> *
  system() const
  {
    return nullptr;
  }

  /// Merges what solves into the record values of a case.
  virtual void
  describe(tessera::RecordValues &parameters) const = 0;

  /// Returns the legal values of `Time/Tangents`, separated by bars.
  static const char *
  choices();

  /// Throws ParameterError if `name`, one of the choices, does not suit the
  /// backend, the number of processes or --export-matrix of a case, and Error
  /// if it needs a device and there is none.
  static void
  check(const std::string &name, const tessera::SolverCase &this_case);

  /// The case, the problem and the points must outlive the result. `longest` is
  /// tau of the longest steps. Throws what `check` throws, and ParameterError
  /// if a library is missing.
  static std::unique_ptr<Tangents>
  make(const std::string &name, tessera::SolverCase &this_case,
       const tessera::Problem<double> &problem,
       tessera::PointMembrane<double> &points, double longest);
};
