#pragma once

#include <stdexcept>
#include <string>

namespace tessera
{
  /// The exit code of a program; the README has a table of them.
  enum class ExitCode : int
  {
    done              = 0,
    other             = 1,
    parameter         = 2,
    mesh              = 3, ///< a mesh or a matrix file
    not_converged     = 4,
    validation_failed = 5,
    device            = 6,
    interrupted       = 130
  };

  /// An error that the user can act on. Its message is one sentence that names
  /// the input that was read, its value and the legal values. A program prints
  /// `what()` and ends with `exit_code()`.
  class Error : public std::runtime_error
  {
  public:
    Error(const ExitCode code, const std::string &sentence)
      : std::runtime_error(sentence), code(code)
    {}

    ExitCode
    exit_code() const
    {
      return code;
    }

  private:
    ExitCode code;
  };

  /// The command line or an entry of a parameter file is wrong.
  struct ParameterError : Error
  {
    explicit ParameterError(const std::string &sentence)
      : Error(ExitCode::parameter, sentence)
    {}
  };

  /// A mesh cannot be read or used, or a boundary has no condition.
  struct MeshError : Error
  {
    explicit MeshError(const std::string &sentence)
      : Error(ExitCode::mesh, sentence)
    {}
  };

  /// A matrix file cannot be read, or a matrix cannot be used.
  struct MatrixError : Error
  {
    explicit MatrixError(const std::string &sentence)
      : Error(ExitCode::mesh, sentence)
    {}
  };

  /// The iterative solver ended without reaching its tolerance.
  struct NotConverged : Error
  {
    explicit NotConverged(const std::string &sentence)
      : Error(ExitCode::not_converged, sentence)
    {}
  };

  /// A result misses the value or the convergence rate that was asked for.
  struct ValidationFailed : Error
  {
    explicit ValidationFailed(const std::string &sentence)
      : Error(ExitCode::validation_failed, sentence)
    {}
  };

  /// There is no device, a device call failed, or memory is exhausted.
  struct DeviceError : Error
  {
    explicit DeviceError(const std::string &sentence)
      : Error(ExitCode::device, sentence)
    {}
  };
} // namespace tessera
