#pragma once

#ifdef __CUDACC__
#  error "headers of the side of deal.II are not for nvcc"
#endif

#include <tessera/parallel/processes.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tessera
{
  /// The state from which a computation in time can continue: arrays of numbers
  /// and texts by name, which all processes have, and values at places of the
  /// mesh; each process has its part of these. The parts of a computation each
  /// add and read their own data.
  struct State
  {
    using Arrays = std::map<std::string, std::vector<double>>;

    Arrays arrays;
    std::map<std::string, std::string> texts;
    /// Values by the name of the places, such as `nodes`, and their own,
    /// [n_places_here][n] with as many values n at a place in all processes.
    std::map<std::string, Arrays> at;

    /// Returns an array of `size` numbers (any number of them for size -1).
    /// Throws ParameterError if there is none of that name and size.
    const std::vector<double> &
    array(const std::string &name, long size = -1) const;

    /// Returns an array of one number.
    double
    number(const std::string &name) const;

    /// Returns the values at places, `size` numbers. Throws ParameterError if
    /// there are none of that name and size.
    const std::vector<double> &
    values_at(const std::string &places, const std::string &name,
              std::size_t size) const;

    /// Returns a text. Throws ParameterError if there is none of that name.
    const std::string &
    text(const std::string &name) const;
  };

  /// A file with the state of a computation, from which a later run continues.
  ///
  /// It is written beside its place and then renamed, after the previous file
  /// was renamed to PATH.previous. So there are two generations, and one of
  /// them is complete however a run ends. A file has a line of text, the
  /// entries of the problem, all arrays and texts, the values at places behind
  /// the numbers of the places, and a checksum (CRC-32); numbers are in the
  /// byte order of the machine.
  ///
  /// Places are numbered in the whole mesh, independently of processes. Each
  /// process sends its part to the first one, which writes one part after
  /// another; it reads the file piece by piece and picks its part. So a run can
  /// continue in any number of processes, and none has more than its part.
  class Checkpoint
  {
  public:
    using Places = std::map<std::string, std::vector<std::int64_t>>;

    /// `problem` says what is computed, in entries that must all be the same in
    /// a run that goes on: parameters, sizes, checksums. `places` are the
    /// numbers of the places that this process has; each place has one
    /// process. `processes` must outlive this object.
    Checkpoint(const std::string &path,
               const std::map<std::string, std::string> &problem,
               Places places              = {},
               const Processes &processes = Processes::alone())
      : path(path), problem(problem), places(std::move(places)),
        processes(processes)
    {}

    /// Writes a state. If that fails, for instance because the disk is full,
    /// throws Error with the reason; both generations stay as they are. All
    /// processes have to call it, and all throw the same.
    void
    write(const State &state) const;

    /// Returns the newest complete state, or nothing if there is no file. A
    /// warning names a damaged file, and the previous one is used. Throws
    /// ParameterError if all are damaged, if one is of another version of the
    /// format or lacks places of this process, and if one is of another
    /// problem, with the entry that differs. Each process calls it on its own.
    std::optional<State>
    read() const;

    const std::string path;

  private:
    const std::map<std::string, std::string> problem;
    const Places places;
    const Processes &processes;
  };

  /// The checksum of some things, such as the cells of a mesh, that does not
  /// depend on their order.
  class SumOfHashes
  {
  public:
    /// Adds a thing that consists of a number and values.
    void
    add(std::int64_t number, const std::vector<double> &values);

    /// Returns the checksum of the things of all processes, in hexadecimal
    /// digits.
    std::string
    of_all(const Processes &processes) const;

  private:
    std::uint64_t sum = 0;
  };
} // namespace tessera
