#include "matrix/matrices.h"

#include <tessera/base/error.h>
#include <tessera/matrix/place_rows.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/format_choice.h>

#include <algorithm>

using namespace tessera;
using namespace tessera::test;

namespace
{
  /// Timed candidates must come first, fastest first, before skipped ones.
  void
  check(const FormatChoice &choice, const std::size_t n_candidates)
  {
    ASSERT_EQ(choice.candidates.size(), n_candidates);
    EXPECT_TRUE(std::is_sorted(
      choice.candidates.begin(), choice.candidates.end(),
      [](const auto &a, const auto &b) { return a.seconds < b.seconds; }));
    double sum = 0;
    for (const FormatCandidate &candidate : choice.candidates)
      if (candidate.skipped.empty())
        {
          EXPECT_GT(candidate.seconds, 0);
          EXPECT_GT(candidate.stored_bytes, 0u);
          sum += candidate.seconds;
        }
      else
        {
          EXPECT_EQ(candidate.seconds, std::numeric_limits<double>::infinity());
        }
    EXPECT_GE(choice.seconds, sum);
    const std::string text = describe(choice);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              static_cast<int>(n_candidates) + 1);
    EXPECT_NE(text.find("chosen: " + choice.candidates.front().name),
              std::string::npos)
      << text;
  }

  std::string
  reason_for(const std::string &name, const FormatChoice &choice)
  {
    for (const FormatCandidate &candidate : choice.candidates)
      if (candidate.name == name)
        return candidate.skipped;
    return "is no candidate";
  }

  /// The operator of the chosen format must have the matrix.
  template <class Number>
  void
  makes_the_chosen()
  {
    for (const Backend backend : backends())
      for (const Rows &rows :
           {Rows{"one empty row", 5, {0}},
            Rows{"129 rows, even", 140, lengths(129, 22, 38, 2)},
            Rows{"long among empty ones", 900, {0, 0, 900, 0, 3, 0, 299, 0}}})
        {
          SCOPED_TRACE(rows.name);
          const RowProblem<Number> problem(rows);
          FormatChoice choice;
          AssemblyOptions options;
          options.choice = &choice;
          const auto A   = make_row_operator<Number>(
            auto_operator, CsrPattern(problem.pattern, backend), problem.n_tail,
            options);
          check(choice, format_candidates(backend, sizeof(Number)).size());
          EXPECT_EQ(A->name(), choice.candidates.front().name);
          // If one row is long, ELLPACK would have as many places in all rows.
          EXPECT_EQ(reason_for("ell", choice).find("The format ell would have"),
                    rows.n_columns == 900 ? 0 : std::string::npos);
          place_values(A->matrix(),
                       Array<std::int64_t>(backend, problem.pattern.row_start),
                       Array<Number>(backend, problem.a));
          A->values_changed();
          problem.check(*A);
        }
  }

  TEST(FormatChoice, MakesTheChosen)
  {
    makes_the_chosen<double>();
    makes_the_chosen<float>();
  }

  TEST(FormatChoice, SkipsWhatFails)
  {
    const SparsityPattern pattern =
      make_pattern(Rows{"33 rows", 90, lengths(33, 1, 41, 2)});
    const StorageOptions no_slices = {{"Slice lanes", "3"}};
    for (const Backend backend : backends())
      {
        const CsrPattern rows(pattern, backend);
        FormatChoice choice;
        const auto A = make_quickest_operator<double>(
          rows, 57, {{"sell", no_slices}, {"csr_mgpu", {}}}, &choice);
        EXPECT_EQ(A->name(), "csr_mgpu");
        check(choice, 2);
        EXPECT_NE(reason_for("sell", choice), "");
        EXPECT_EQ(reason_for("csr_mgpu", choice), "");
        EXPECT_NE(describe(choice).find(reason_for("sell", choice)),
                  std::string::npos);
        // If no candidate is left, the error says why.
        EXPECT_EQ(error_of<ParameterError>([&]() {
                    make_quickest_operator<double>(
                      rows, 57, {{"sell", no_slices}, {"sell", no_slices}});
                  }),
                  reason_for("sell", choice));
      }
  }

  /// Another part is slow with `csr_mgpu`, has no room for `ell`, and is as
  /// quick as this one with `csr`.
  TEST(FormatChoice, IsThatOfAllParts)
  {
    const SparsityPattern pattern =
      make_pattern(Rows{"33 rows", 90, lengths(33, 1, 41, 2)});
    const CsrPattern rows(pattern, Backend::host);
    const double none         = std::numeric_limits<double>::infinity();
    std::vector<double> there = {1e3, none, 0};
    std::size_t next          = 0;
    FormatChoice choice;
    choice.largest = [&](const double local) {
      return std::max(local, there.at(next++));
    };
    const std::vector<FormatCandidate> candidates = {
      {"csr_mgpu", {}}, {"ell", {}}, {"csr", {}}};
    EXPECT_EQ(
      make_quickest_operator<double>(rows, 57, candidates, &choice)->name(),
      "csr");
    EXPECT_EQ(next, there.size());
    EXPECT_EQ(choice.candidates.at(1).seconds, 1e3);
    EXPECT_NE(reason_for("ell", choice), "");
    // Nothing is left if the other part makes none.
    there = {none, none, none};
    next  = 0;
    EXPECT_THROW(make_quickest_operator<double>(rows, 57, candidates, &choice),
                 DeviceError);
  }

  TEST(FormatChoice, RefusesListsOfNoFormats)
  {
    const SparsityPattern pattern{{0, 1}, {0}};
    const auto error = [&](const std::vector<FormatCandidate> &candidates) {
      return error_of<ParameterError>([&]() {
        make_quickest_operator<double>(CsrPattern(pattern, Backend::host), 0,
                                       candidates);
      });
    };
    EXPECT_EQ(error({}), "There is no format to choose from.");
    for (const std::string name : {"ellpack", auto_operator})
      {
        const std::string sentence = error({{"csr", {}}, {name, {}}});
        EXPECT_NE(sentence.find("'" + name + "'"), std::string::npos)
          << sentence;
        EXPECT_NE(sentence.find("csr_mgpu"), std::string::npos) << sentence;
      }
  }

  TEST(FormatChoice, TakesNoOptionsOfFormats)
  {
    AssemblyOptions options;
    options.storage = {{"Slice window", "64"}};
    EXPECT_THROW(check_options(auto_operator, Backend::host, options),
                 ParameterError);
    options.storage = {{"Hybrid width", "3"}};
    EXPECT_THROW(check_options(auto_operator, Backend::host, options),
                 ParameterError);
    EXPECT_NO_THROW(check_options(auto_operator, Backend::host, {}));
  }
} // namespace
