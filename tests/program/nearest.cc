#include <tessera/program/nearest.h>

#include "test.h"

using namespace tessera::program;

TEST(Nearest, DistanceCountsEdits)
{
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("degree", "dergee"), 1);
  EXPECT_EQ(edit_distance("Degree", "degree"), 0);
  EXPECT_EQ(edit_distance("abc", "abcd"), 1);
}

TEST(Nearest, FindsTheFirstOfTheClosest)
{
  const std::vector<std::string> names = {"Grid name", "Grid arguments",
                                          "Degrees", "Degree"};
  EXPECT_EQ(nearest("Gird name", names), "Grid name");
  EXPECT_EQ(nearest("Degre", names), "Degree");
  EXPECT_EQ(nearest("Initial refinement", names), "");
  EXPECT_EQ(nearest("ab", {"xy"}), "");
  EXPECT_EQ(nearest("a", {}), "");
}

TEST(Nearest, EndsASentence)
{
  EXPECT_EQ(did_you_mean("--validat", {"--validate", "--version"}),
            "; did you mean '--validate'?");
  EXPECT_EQ(did_you_mean("--quiet", {"--validate", "--version"}), ".");
}
