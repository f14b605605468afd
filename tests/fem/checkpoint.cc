#include <tessera/base/error.h>
#include <tessera/fem/output/checkpoint.h>

#include "bytes.h"
#include "test.h"

#include <cmath>
#include <filesystem>
#include <limits>

using namespace tessera;

namespace
{
  const std::map<std::string, std::string> problem = {{"Mesh/File", "a.msh"},
                                                      {"nodes", "3"}};

  State
  state(const double time)
  {
    State s;
    s.arrays = {
      {"empty", {}}, {"potential", {1. / 3, -0., 1e-320}}, {"time", {time}}};
    s.texts = {{"nothing", ""}, {"traces", "time,1\n0,2\n"}};
    s.at    = {{"cells", {{"recoveries", {1, 2, 3, 4, 5, 6}}}},
               {"nodes", {{"none", {}}, {"potential", {1. / 3, -0., 1e-320}}}}};
    return s;
  }

  const Checkpoint::Places places = {{"cells", {1, 0}}, {"nodes", {7, 2, 900}}};

  /// A file name in an empty folder.
  std::string
  path()
  {
    const auto *test  = testing::UnitTest::GetInstance()->current_test_info();
    const auto folder = std::filesystem::temp_directory_path() /
                        ("checkpoint." + std::to_string(getpid())) /
                        test->name();
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    return (folder / "state").string();
  }

} // namespace

TEST(Checkpoint, ReadsWhatWasWrittenLast)
{
  const Checkpoint file(path(), problem, places);
  EXPECT_FALSE(file.read());
  for (const double time : {1., 2., 3.})
    {
      file.write(state(time));
      const auto read = file.read();
      ASSERT_TRUE(read);
      EXPECT_EQ(read->texts, state(time).texts);
      EXPECT_EQ(read->arrays, state(time).arrays);
      EXPECT_EQ(read->at, state(time).at);
      EXPECT_TRUE(std::signbit(read->array("potential", 3)[1]));
    }
  const auto folder = std::filesystem::path(file.path).parent_path();
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
  std::filesystem::remove(file.path); // the run was killed between two renames
  EXPECT_EQ(file.read()->number("time"), 2);
}

TEST(Checkpoint, PlacesAreFoundByTheirNumbers)
{
  const Checkpoint file(path(), problem, places);
  file.write(state(1));
  const auto read = [&](const Checkpoint::Places &wanted) {
    return Checkpoint(file.path, problem, wanted).read();
  };
  const auto part = read({{"cells", {0}}, {"nodes", {900, 7}}});
  ASSERT_TRUE(part);
  EXPECT_EQ(part->values_at("cells", "recoveries", 3),
            (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(part->values_at("nodes", "potential", 2),
            (std::vector<double>{1e-320, 1. / 3}));
  EXPECT_THROW(part->values_at("nodes", "potential", 3), ParameterError);
  EXPECT_THROW(part->values_at("nodes", "recoveries", 3), ParameterError);
  EXPECT_THROW(part->values_at("faces", "potential", 2), ParameterError);
  EXPECT_THROW(read({{"cells", {0, 2}}}), ParameterError);
}

/// More places than are read at once.
TEST(Checkpoint, ManyPlacesAreReadPieceByPiece)
{
  constexpr int n = 200000;
  Checkpoint::Places all;
  State written;
  for (int i = 0; i < n; ++i)
    {
      all["nodes"].push_back((i * 7919L) %
                             n); // in another order than they count
      for (const double part : {0.25, 0.5, 0.75})
        written.at["nodes"]["V"].push_back(all["nodes"].back() + part);
    }
  const Checkpoint file(path(), problem, all);
  file.write(written);
  Checkpoint::Places some;
  std::vector<double> expected;
  for (int i = n - 1; i >= 0; i -= 3)
    {
      some["nodes"].push_back(i);
      for (const double part : {0.25, 0.5, 0.75})
        expected.push_back(i + part);
    }
  const auto read = Checkpoint(file.path, problem, some).read();
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->values_at("nodes", "V", expected.size()) == expected);
}

TEST(Checkpoint, AnotherVersionIsRefused)
{
  const Checkpoint file(path(), problem, places);
  file.write(state(1));
  std::string bytes = test::load_bytes(file.path);
  for (const char digit : {'2', '4'})
    {
      bytes[bytes.find("version ") + 8] = digit;
      test::store_bytes(file.path, bytes);
      try
        {
          file.read();
          ADD_FAILURE() << "no error";
        }
      catch (const ParameterError &error)
        {
          const std::string wanted =
            std::string("version ") + digit + " of its format";
          EXPECT_NE(std::string(error.what()).find(wanted), std::string::npos);
        }
    }
}

TEST(Checkpoint, ALinkToItselfIsDamaged)
{
  const Checkpoint file(path(), problem, places);
  file.write(state(1));
  file.write(state(2));
  std::filesystem::remove(file.path);
  std::filesystem::create_symlink(file.path, file.path);
  EXPECT_TRUE(file.read());
}

TEST(Checkpoint, SumsOfHashesKnowNoOrder)
{
  const auto sum = [](const std::vector<std::pair<int, double>> &things) {
    SumOfHashes hashes;
    for (const auto &[number, value] : things)
      hashes.add(number, {value, 1});
    return hashes.of_all(Processes::alone());
  };
  EXPECT_EQ(sum({{1, 0.5}, {2, 3}, {9, 4}}), sum({{9, 4}, {1, 0.5}, {2, 3}}));
  EXPECT_NE(sum({{1, 0.5}, {2, 3}}), sum({{1, 3}, {2, 0.5}}));
  EXPECT_NE(sum({{1, 0.5}, {2, 3}}), sum({{1, 0.5}, {2, 3 + 1e-15}}));
  EXPECT_EQ(sum({}), "0000000000000000");
}

TEST(Checkpoint, AnyDamageIsFound)
{
  const Checkpoint file(path(), problem, places);
  file.write(state(1));
  file.write(state(2));
  const std::string whole = test::load_bytes(file.path);
  const auto falls_back   = [&](const std::string &bytes) {
    test::store_bytes(file.path, bytes);
    testing::internal::CaptureStderr();
    const auto read        = file.read();
    const std::string said = testing::internal::GetCapturedStderr();
    return read && read->number("time") == 1 &&
           said.find("is damaged") != std::string::npos;
  };
  for (std::size_t i = 0; i < whole.size(); ++i)
    {
      std::string bytes = whole;
      bytes[i]          = static_cast<char>(bytes[i] ^ (1 << i % 8));
      EXPECT_TRUE(falls_back(bytes)) << "byte " << i;
      EXPECT_TRUE(falls_back(whole.substr(0, i))) << i << " bytes";
    }
  EXPECT_TRUE(falls_back(whole + '0'));

  std::filesystem::remove(file.path + ".previous");
  testing::internal::CaptureStderr();
  EXPECT_THROW(file.read(), ParameterError);
  testing::internal::GetCapturedStderr();
}

TEST(Checkpoint, AnotherProblemIsRefusedWithWhatDiffers)
{
  const Checkpoint file(path(), problem, places);
  file.write(state(1));
  const auto message = [&](std::map<std::string, std::string> other) {
    try
      {
        Checkpoint(file.path, other).read();
      }
    catch (const ParameterError &error)
      {
        return std::string(error.what());
      }
    return std::string();
  };
  const auto has = [](const std::string &text, const std::string &part) {
    return text.find(part) != std::string::npos;
  };
  EXPECT_TRUE(has(message({{"Mesh/File", "b.msh"}, {"nodes", "3"}}),
                  "'Mesh/File' is 'a.msh' there and 'b.msh' now"));
  EXPECT_TRUE(has(message({{"Mesh/File", "a.msh"}}), "'3' there and missing"));
  EXPECT_TRUE(has(message({{"Mesh/File", "a.msh"}, {"nodes", "3"}, {"x", ""}}),
                  "'x' is missing there and '' now"));
}

TEST(Checkpoint, WhatAStateLacksIsNamed)
{
  const State s = state(1);
  EXPECT_THROW(s.array("potential", 4), ParameterError);
  EXPECT_THROW(s.array("other"), ParameterError);
  EXPECT_THROW(s.number("potential"), ParameterError);
  EXPECT_THROW(s.text("time"), ParameterError);
}

TEST(Checkpoint, AFolderThatIsMissingIsAnError)
{
  EXPECT_THROW(
    Checkpoint(path() + "/none/state", problem, places).write(state(1)), Error);
}
