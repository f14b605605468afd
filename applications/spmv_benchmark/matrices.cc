#include "matrices.h"
#include "block_rows.h"

#include <tessera/base/error.h>
#include <tessera/base/names.h>
#include <tessera/matrix/matrix_file.h>
#include <tessera/study/matrices/matrix_statistics.h>
#include <tessera/study/matrices/matrix_suite.h>

#include <algorithm>
#include <filesystem>

namespace tessera::spmv
{
  namespace
  {
    constexpr int picture_side = 64;

    bool
    is_file(const std::string &word)
    {
      return word.find_first_of("./") != std::string::npos;
    }

    const std::vector<std::pair<std::string, MatrixGroup>> groups = {
      {"table_2", MatrixGroup::benchmark},
      {"finite_elements", MatrixGroup::finite_elements},
      {"awkward", MatrixGroup::awkward}};

    /// Returns the names of the matrices that a word means.
    std::vector<std::string>
    expand(const std::string &word)
    {
      if (is_file(word))
        return {word};
      if (word == "all")
        return matrix_suite_names();
      for (const auto &[name, group] : groups)
        if (word == name)
          return matrix_suite_names(group);
      std::vector<std::string> legal = matrix_suite_names();
      for (const auto &[name, group] : groups)
        legal.push_back(name);
      legal.insert(legal.end(), {"all", "a file's name with a dot or a slash"});
      index_of_name(word, legal, "matrix");
      return {word};
    }
  } // namespace

  std::string
  matrix_table()
  {
    std::string text;
    for (const SuiteMatrix &m : matrix_suite())
      text += m.name + ": " + m.sentence + " (" + m.source + ")\n";
    return text;
  }

  std::vector<std::string>
  expand_matrices(const std::vector<std::string> &words)
  {
    std::vector<std::string> result;
    for (const std::string &word : words)
      for (const std::string &name : expand(word))
        if (std::count(result.begin(), result.end(), name) == 0)
          result.push_back(name);
    return result;
  }

  std::string
  source_of(const std::string &name, const std::string &folder)
  {
    if (!folder.empty() && !is_file(name))
      for (const char *ending : {".mtx", ".mtx.gz"})
        {
          const std::string file = folder + '/' + name + ending;
          if (std::filesystem::exists(file))
            return file;
        }
    return name;
  }

  SparseMatrix
  make_matrix(const std::string &name, const double scale,
              const std::string &cache)
  {
    return is_file(name) ? load_matrix(name, cache)
                         : make_suite_matrix(name, scale);
  }

  program::Matrix
  describe_matrix(const std::string &name, const SparseMatrix &A)
  {
    const MatrixStatistics s = matrix_statistics(A);
    program::Matrix result;
    result.name       = name;
    result.source     = is_file(name) ? "file" : "suite";
    result.rows       = s.n_rows;
    result.columns    = s.n_columns;
    result.nonzeros   = s.n_nonzeros;
    result.statistics = {
      {"shortest_row", double(s.shortest_row)},
      {"longest_row", double(s.longest_row)},
      {"mean_row", s.mean_row},
      {"deviation", s.deviation},
      {"empty_rows", double(s.n_empty_rows)},
      {"half_bandwidth", double(s.half_bandwidth)},
      {"profile", double(s.profile)},
      {"mean_distance", s.mean_distance},
      {"symmetric_pattern", double(s.symmetric_pattern)},
      {"lines_per_entry", s.lines_per_entry},
      {"fill_blocks_2", benchmarks::block_fill(A.pattern, 2)},
      {"fill_blocks_3", benchmarks::block_fill(A.pattern, 3)},
      {"padding_ell", ell_padding(A.pattern)},
      {"padding_hybrid", hybrid_padding(A.pattern)},
      {"padding_sliced_ell", sliced_ell_padding(A.pattern, 32, 1)},
      {"padding_ell_warp_k1",
       sliced_ell_padding(A.pattern, 32, std::max(s.n_rows, 1))}};
    for (std::size_t length = 0; length < s.histogram.size(); ++length)
      if (s.histogram[length] > 0)
        result.row_lengths.emplace_back(length, s.histogram[length]);
    const int side = std::min({picture_side, s.n_rows, s.n_columns});
    if (side > 0)
      {
        const auto picture = pattern_picture(A, side);
        for (int i = 0; i < side; ++i)
          result.picture.emplace_back(picture.begin() + i * side,
                                      picture.begin() + (i + 1) * side);
      }
    return result;
  }
} // namespace tessera::spmv
