#include "bytes.h"
#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/replace_file.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
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
      return test::load_bytes(path);
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

TEST_F(ReplaceFile, AFullDiskIsTheReason)
{
  const auto write = [&](const std::size_t n) {
    write_file(path, "list", [n](std::ostream &out) {
      for (std::size_t i = 0; i < n; ++i)
        out << "1234567\n";
      if (!out)
        throw std::range_error("an essay");
    });
  };
  write(100000);
  EXPECT_EQ(content().size(), 800000u);

  rlimit before, small;
  getrlimit(RLIMIT_FSIZE, &before);
  small          = before;
  small.rlim_cur = 100000;
  std::signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &small);
  std::string message;
  try
    {
      write(200000);
    }
  catch (const Error &error)
    {
      message = error.what();
    }
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(message,
            "The list '" + path + "' cannot be written: File too large.");
  EXPECT_EQ(content().size(), 800000u);
  EXPECT_THROW(write_file(path, "list",
                          [](std::ostream &) { throw std::range_error(""); }),
               std::range_error);
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

TEST_F(ReplaceFile, LeavesLinksAndDevices)
{
  const auto write = [](std::ostream &out) { out << "new"; };
  std::ofstream(path) << "old";
  std::filesystem::create_directory(folder / "links");
  const std::string link = folder / "links" / "to_a";
  std::filesystem::create_symlink(path, link);
  EXPECT_TRUE(can_replace(link));
  write_file(link, "list", write);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(test::load_bytes(path), "new");
  EXPECT_FALSE(can_replace(folder));
  EXPECT_FALSE(can_replace(folder / "missing" / "a"));
  EXPECT_TRUE(can_replace(folder / "b"));

  // A pipe stands for a device, which only root could lose.
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(can_replace(pipe));
  try
    {
      write_file(pipe, "list", write);
      FAIL() << "a pipe was replaced";
    }
  catch (const Error &error)
    {
      EXPECT_EQ(std::string(error.what()),
                "The list '" + pipe + "' cannot be written: It is no file.");
    }
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  for (const auto &entry :
       std::filesystem::recursive_directory_iterator(folder))
    EXPECT_EQ(entry.path().string().find(".part"), std::string::npos);
}
