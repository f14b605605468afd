#pragma once

#include <stdexcept>
#include <string>

namespace tessera
{
  /// How a program ends; see the table of exit codes in the README.
  enum class ExitCode : int
  {
    done              = 0,
    other             = 1,
    parameter         = 2,
    mesh              = 3, ///< or a matrix
    not_converged     = 4,
    validation_failed = 5,
    device            = 6,
    interrupted       = 130
  };

  /// An error a user can act on: one sentence that names what was read, its
  /// value and the legal ones. A program prints `what()` and ends with
  /// `exit_code()`.
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

  /// Usage, or an entry of a parameter file.
  struct ParameterError : Error
  {
    explicit ParameterError(const std::string &sentence)
      : Error(ExitCode::parameter, sentence)
    {}
  };

  /// A mesh that cannot be read or used, or a boundary that is not covered.
  struct MeshError : Error
  {
    explicit MeshError(const std::string &sentence)
      : Error(ExitCode::mesh, sentence)
    {}
  };

  /// A file of a matrix that cannot be read, or a matrix that cannot be used.
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

  /// A result misses the value or the rate that was asked for.
  struct ValidationFailed : Error
  {
    explicit ValidationFailed(const std::string &sentence)
      : Error(ExitCode::validation_failed, sentence)
    {}
  };

  /// No device, a failed device call, or memory that cannot be had.
  struct DeviceError : Error
  {
    explicit DeviceError(const std::string &sentence)
      : Error(ExitCode::device, sentence)
    {}
  };
} // namespace tessera
