#include "rows.h"
#include "turns.h"

#include <tessera/matrix/place_rows.h>
#include <tessera/operators/descriptor.h>
#include <tessera/operators/factory.h>
#include <tessera/operators/sell.h>

using namespace tessera;
using namespace tessera::test;

// Products and conversions of every operator that is made of a pattern, with
// all of its options: small cases, also for tools that find races.
namespace
{
  /// Returns the defaults, then every other word and the least integer of each
  /// option, and slices of several widths, orders and lanes of a row.
  std::vector<StorageOptions>
  variants(const std::string &name, const Backend backend)
  {
    std::vector<StorageOptions> result = {{}};
    for (const OptionSet *const set : descriptor(name).options)
      {
        if (set->device_only && backend == Backend::host)
          continue;
        for (const Option &option : set->options)
          {
            std::vector<std::string> values = option.words;
            if (option.most >= 1)
              values.push_back(std::to_string(option.least));
            for (const std::string &value : values)
              if (value != option.default_value)
                result.push_back({{option.name, value}});
          }
        if (set == &slice_options())
          for (const char *const shape :
               {"4:8", "256:40", "32:1:4", "8:1:8", "64:0:2:3"})
            result.push_back(set->read(shape));
      }
    return result;
  }

  template <class Number>
  void
  check(const std::string &name, const Backend backend, const Rows &rows,
        const StorageOptions &storage)
  {
    // One of the options rounds the values to float.
    const RowProblem<Number, float> problem(rows);
    AssemblyOptions options;
    options.storage = storage;
    const auto A    = make_row_operator<Number>(
      name, CsrPattern(problem.pattern, backend), problem.n_tail, options);
    const Array<std::int64_t> start(backend, problem.pattern.row_start);
    place_values(A->matrix(), start, Array<Number>(backend, problem.a));
    A->values_changed();
    problem.check(*A);
    const SparsityPattern found = A->matrix().pattern();
    EXPECT_EQ(found.row_start, problem.pattern.row_start);
    EXPECT_EQ(found.columns, problem.pattern.columns);
  }

  /// Calls `f(name, backend)` for all operators that are made of a pattern.
  template <class F>
  void
  for_each_operator(const F &f)
  {
    for (const Backend backend : backends())
      for (const std::string &name : row_operator_names())
        if (!descriptor(name).is_appended())
          f(name, backend);
  }
} // namespace

TEST(RowProducts, OfFewRows)
{
  int turn = 0;
  for_each_operator([&](const std::string &name, const Backend backend) {
    for (const StorageOptions &storage : variants(name, backend))
      for (const Rows &rows : few_rows())
        {
          std::string given;
          for (const auto &[option, value] : storage)
            given += ", " + option + " " + value;
          SCOPED_TRACE(name + ", " + to_string(backend) + ", " + rows.name +
                       given);
          // Under sanitizers the number types take turns.
          if (in_turn(++turn, 2) || !is_watched())
            check<double>(name, backend, rows, storage);
          if (in_turn(turn + 1, 2) || !is_watched())
            check<float>(name, backend, rows, storage);
        }
  });
}

// Rows among short ones that several blocks have parts of, or that go through
// shared memory piece by piece, with each way to read `csr`.
TEST(RowProducts, OfLongRows)
{
  Rows rows           = {"long", 2000, lengths(33, 0, 2)};
  rows.lengths[7]     = 1999;
  rows.lengths.back() = 2000;
  for_each_operator([&](const std::string &name, const Backend backend) {
    SCOPED_TRACE(name + ", " + to_string(backend));
    for (const StorageOptions &storage : name == "csr"
                                           ? variants(name, backend)
                                           : std::vector<StorageOptions>(1))
      check<double>(name, backend, rows, storage);
  });
}
