#pragma once

#include <string>
#include <vector>

namespace tessera::study
{
  /// Letters inserted, deleted, replaced or swapped with their neighbour that
  /// lead from one word to the other, capitals aside.
  int
  edit_distance(const std::string &a, const std::string &b);

  /// The candidate with the smallest edit distance to `name`, the first of
  /// several; empty where even that one differs in more than a third of the
  /// letters (at least two may).
  std::string
  nearest(const std::string &name, const std::vector<std::string> &candidates);

  /// "; did you mean 'candidate'?" for the end of a sentence, or "." where
  /// nothing is near.
  std::string
  did_you_mean(const std::string &name,
               const std::vector<std::string> &candidates);
} // namespace tessera::study
