#pragma once

#include <cstddef>
#include <vector>

// Which combinations a large test tries in a run: too many combinations take
// turns. The seed says whose turn it is; ctest sets it to the number of
// commits, so that successive commits try different ones.
namespace tessera::test
{
  /// Returns true if a combination is tried in this run. `index` is its place
  /// among all combinations of the test. One of each n <= 10 successive ones is
  /// tried, and each of them by one of n successive seeds. A test calls this
  /// once for a combination: two conditions could exclude each other.
  bool
  in_turn(std::size_t index, std::size_t n);

  /// Returns how many turns a combination had before. What varies with a
  /// combination, such as the kind of its coefficient, follows from this, so
  /// that each turn has another one.
  std::size_t
  n_turns(std::size_t index, std::size_t n = 1);

  /// Reads the seed from TESSERA_TEST_SEED, a number or `full`, with which all
  /// combinations have their turn; without it the seed is 0. Returns false if
  /// it is neither.
  bool
  read_seed();

  /// Prints how to repeat the run of a command, if combinations took turns in
  /// it.
  void
  print_seed(const std::vector<char *> &command);
} // namespace tessera::test
