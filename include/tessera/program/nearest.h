#pragma once

#include <string>
#include <vector>

namespace tessera::program
{
  /// Returns how many letters must be inserted, deleted, replaced or swapped
  /// with their neighbour to turn one word into the other. Upper and lower case
  /// are equal.
  int
  edit_distance(const std::string &a, const std::string &b);

  /// Returns the candidate with the smallest edit distance to `name`, the first
  /// one if there are several. Returns an empty string if even that candidate
  /// differs in more than a third of the letters; two are always allowed.
  std::string
  nearest(const std::string &name, const std::vector<std::string> &candidates);

  /// Returns "; did you mean 'candidate'?" for the end of a sentence, or "." if
  /// no candidate is close.
  std::string
  did_you_mean(const std::string &name,
               const std::vector<std::string> &candidates);
} // namespace tessera::program
