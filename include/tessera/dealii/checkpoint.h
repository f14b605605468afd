#pragma once

#ifdef __CUDACC__
#  error "headers of the layer dealii are not for nvcc"
#endif

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tessera
{
  /// What a computation in time must keep to go on later: arrays of numbers and
  /// texts by name. The parts of a computation each add and read their own.
  struct State
  {
    std::map<std::string, std::vector<double>> arrays;
    std::map<std::string, std::string> texts;

    /// Returns an array of `size` numbers (any number of them for size -1).
    /// Throws ParameterError if there is none of that name and size.
    const std::vector<double> &
    array(const std::string &name, long size = -1) const;

    /// Returns an array of one number.
    double
    number(const std::string &name) const;

    /// Returns a text. Throws ParameterError if there is none of that name.
    const std::string &
    text(const std::string &name) const;
  };

  /// A file with the state of a computation, from which a later run goes on.
  ///
  /// It is written beside its place and then renamed, after the file before was
  /// renamed to PATH.previous. So there are two generations, and whatever ends
  /// a run leaves one that is whole. A file has a line of text, the entries of
  /// what is computed, all arrays and texts, and a checksum (CRC-32); numbers
  /// are in the order of bytes of the machine.
  class Checkpoint
  {
  public:
    /// `problem` says what is computed, in entries that must all be the same in
    /// a run that goes on: parameters, sizes, checksums.
    Checkpoint(const std::string &path,
               const std::map<std::string, std::string> &problem)
      : path(path), problem(problem)
    {}

    /// Writes a state. If that fails, for instance because the disk is full,
    /// throws Error with the reason; both generations stay as they are.
    void
    write(const State &state) const;

    /// Returns the newest state that is whole, or nothing if there is no file.
    /// A damaged file is named in a warning and the one before is taken. Throws
    /// ParameterError if all are damaged, and if one is of another problem,
    /// with the entry that differs.
    std::optional<State>
    read() const;

    const std::string path;

  private:
    const std::map<std::string, std::string> problem;
  };

  /// Returns the CRC-32 checksum of some bytes in hexadecimal digits, so that
  /// meshes and numberings can be compared.
  std::string
  checksum(const void *data, std::size_t n_bytes);
} // namespace tessera
