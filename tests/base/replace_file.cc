#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

using namespace tessera;

namespace
{
  class ReplaceFile : public testing::Test
  {
  protected:
    const std::filesystem::path folder =
      testing::TempDir() + "tessera_replace_file_" + std::to_string(getpid());
    const std::string path = folder / "a";

    ReplaceFile()
    {
      std::filesystem::create_directories(folder);
    }

    ~ReplaceFile() override
    {
      std::filesystem::remove_all(folder);
    }

    /// Returns the name of the only file of the folder.
    std::string
    content() const
    {
      EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}),
                1);
      std::ifstream file(path);
      return {std::istreambuf_iterator<char>(file), {}};
    }
  };

  bool
  write_half(const std::string &temporary)
  {
    std::ofstream(temporary) << "half";
    return false;
  }
} // namespace

TEST_F(ReplaceFile, IsAsAWholeOrNotAtAll)
{
  for (const std::string text : {"first", "second"})
    {
      replace_file(path, "list", [&](const std::string &temporary) {
        std::ofstream(temporary) << text;
        return true;
      });
      EXPECT_EQ(content(), text);
    }
  try
    {
      replace_file(path, "list", write_half);
      FAIL() << "accepted";
    }
  catch (const Error &error)
    {
      EXPECT_EQ(error.exit_code(), ExitCode::other);
      EXPECT_EQ(error.what(), "The list '" + path + "' cannot be written.");
    }
  EXPECT_EQ(content(), "second");
  EXPECT_THROW(replace_file(path, "list",
                            [](const std::string &temporary) -> bool {
                              write_half(temporary);
                              throw std::range_error("");
                            }),
               std::range_error);
  EXPECT_EQ(content(), "second");
}

TEST_F(ReplaceFile, TwoAtATimeDoNotMix)
{
  replace_file(path, "list", [&](const std::string &outer) {
    std::ofstream file(outer);
    replace_file(path, "list", [&](const std::string &inner) {
      EXPECT_NE(inner, outer);
      std::ofstream(inner) << "inner";
      return true;
    });
    file << "outer";
    return true;
  });
  EXPECT_EQ(content(), "outer");
}
