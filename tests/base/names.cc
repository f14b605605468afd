#include "test.h"

#include <tessera/assembly/options.h>
#include <tessera/base/error.h>
#include <tessera/base/names.h>

using namespace tessera;

namespace
{
  /// Returns the sentence and the exit code of what `f` throws.
  template <class F>
  std::pair<std::string, ExitCode>
  error_of(const F &f)
  {
    try
      {
        f();
      }
    catch (const Error &error)
      {
        return {error.what(), error.exit_code()};
      }
    return {"", ExitCode::done};
  }

  /// Converts every value to its name and back. Another name must be refused
  /// with all legal ones.
  template <class Enum, class FromString>
  void
  check_list(const FromString &from_string, const int n, const char *bad)
  {
    const auto [sentence, code] = error_of([&]() { from_string(bad); });
    EXPECT_EQ(code, ExitCode::parameter);
    EXPECT_NE(sentence.find(std::string("'") + bad + "'"), std::string::npos)
      << sentence;
    for (int i = 0; i < n; ++i)
      {
        const Enum value = static_cast<Enum>(i);
        EXPECT_EQ(from_string(to_string(value)), value);
        EXPECT_NE(sentence.find(to_string(value)), std::string::npos)
          << sentence;
      }
  }
} // namespace

TEST(Names, ListsHaveAnOrBeforeTheLast)
{
  EXPECT_EQ(list_of({}), "");
  EXPECT_EQ(list_of({"one"}), "one");
  EXPECT_EQ(list_of({"one", "two"}), "one or two");
  EXPECT_EQ(list_of({"one", "two", "three"}), "one, two or three");
}

TEST(Names, IndexIsThePlaceInTheList)
{
  const std::vector<std::string> names = {"ant", "bee", "cat"};
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(index_of_name(names[i], names, "animal"), i);
}

TEST(Names, UnknownOnesAreRefusedWithTheLegalOnes)
{
  const auto [sentence, code] = error_of([]() {
    index_of_name("bea", {"ant", "bee", "cat"}, "animal");
  });
  EXPECT_EQ(code, ExitCode::parameter);
  EXPECT_EQ(sentence,
            "The animal 'bea' does not exist; it is ant, bee or cat.");
  EXPECT_THROW(index_of_name("", {"ant"}, "animal"), ParameterError);
  EXPECT_THROW(index_of_name("Ant", {"ant"}, "animal"), ParameterError);
}

TEST(Names, ListsOfTheLibraryGoThereAndBack)
{
  check_list<Route>(route_from_string, 3, "scattered");
  check_list<Conflict>(conflict_from_string, 3, "colouring");
  check_list<CellOrder>(cell_order_from_string, 3, "peano");
}
