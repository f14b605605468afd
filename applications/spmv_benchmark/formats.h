#pragma once

#include "storage.h"

#include <engine.h>

#include <tessera/matrix/sparsity_pattern.h>

namespace tessera::spmv
{
  using benchmarks::Names;
  using benchmarks::Study;

  /// Returns the names of all formats: operators of rows that are made from a
  /// pattern and whose bytes grow with the entries, under their own names, and
  /// the shapes and orders of slices of `formats.def`.
  const Names &
  format_names();

  /// Returns a table with one line per format.
  std::string
  format_table();

  /// Returns the factors of the study.
  const benchmarks::Factors &
  factors();

  /// Returns the study with thresholds and blocks of a matrix in the place of
  /// the words that stand for them.
  Study
  study_of(Study study, const SparsityPattern &pattern);

  /// Returns the ways to store a matrix in these formats that the factors of a
  /// study give. Formats that cannot store blocks have single entries whatever
  /// is asked for.
  std::vector<Storage>
  storages(const Study &study, const Names &formats);

  /// Returns the study with further values for the ways to store a matrix that
  /// are predicted: threads per row and thresholds, without blocks.
  Study
  candidates_of(Study study, Backend backend, int number_bytes);

  /// Returns thresholds for rows with `least` to `most` entries: all from
  /// `least`, but at least 1, to `most` if these are at most 65; otherwise 32
  /// in equal ratios, both ends included (WongKuhlDarve2015, section 6: the
  /// threshold goes from the shortest to the longest row).
  std::vector<int>
  sweep_thresholds(int least, int most);
} // namespace tessera::spmv
