#include "../../source/fem/mesh/own_process.h"
#include "bytes.h"

#include <tessera/base/error.h>

#include <gtest/gtest.h>
#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <new>
#include <thread>

namespace
{
  using namespace tessera;
  using Stage = std::function<void(const std::string &)>;

  const std::string log_file =
    (std::filesystem::temp_directory_path() /
     ("tessera_own_process_" + std::to_string(getpid()) + ".log"))
      .string();

  std::string
  run(const std::function<std::string(const Stage &)> &work,
      const double seconds = 60)
  {
    return in_own_process({work, "mesher", "mesh file 'part.geo'", log_file,
                           seconds, "'Time'", ""});
  }

  /// Returns "CODE SENTENCE" of the error that work has, or its result.
  std::string
  end_of(const std::function<std::string(const Stage &)> &work,
         const double seconds = 60)
  {
    try
      {
        return run(work, seconds);
      }
    catch (const Error &error)
      {
        return std::to_string(static_cast<int>(error.exit_code())) + ' ' +
               error.what();
      }
  }

  bool
  has_log()
  {
    return std::filesystem::remove(log_file);
  }

  const std::string printed = "; what it printed is in '" + log_file + "'.";


  TEST(OwnProcess, HasAResultAndALog)
  {
    std::string text(3 << 20, 'x'); // more than a pipe holds
    text[7]   = '\0';
    int value = 1;
    std::cout << "of this process ";
    EXPECT_EQ(run([&](const Stage &) {
                value = 2;
                std::cout << "out" << std::endl;
                std::fprintf(stderr, "err\n");
                return text;
              }),
              text);
    EXPECT_EQ(value, 1);
    EXPECT_EQ(test::load_bytes(log_file), "out\nerr\n");
    EXPECT_TRUE(has_log());
  }


  /// Threads of this process are not there: others would wait for them.
  TEST(OwnProcess, HasOneThread)
  {
    int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
    ++n;
    ASSERT_EQ(n, 3);
    EXPECT_EQ(run([](const Stage &) {
                int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
                ++n;
                return std::to_string(n);
              }),
              "1");
  }


  TEST(OwnProcess, ThrowsWhatIsThrownThere)
  {
    EXPECT_EQ(end_of([](const Stage &) -> std::string {
                throw ParameterError("A size is wrong.");
              }),
              "2 A size is wrong.");
    EXPECT_FALSE(has_log());
    EXPECT_EQ(end_of([](const Stage &) -> std::string {
                throw std::runtime_error("Something.");
              }),
              "1 Something.");
    EXPECT_THROW(
      run([](const Stage &) { return std::string(std::size_t(1) << 50, 'x'); }),
      std::bad_alloc);
    EXPECT_FALSE(has_log());
  }


  TEST(OwnProcess, MayCrash)
  {
    EXPECT_EQ(end_of([](const Stage &) {
                std::raise(SIGSEGV);
                return std::string();
              }),
              "3 The mesh file 'part.geo' cannot be read: mesher crashes "
              "(Segmentation fault)" +
                printed);
    EXPECT_TRUE(has_log());
    EXPECT_EQ(end_of([](const Stage &stage) {
                stage("meshed");
                std::abort();
                return std::string();
              }),
              "3 The mesh file 'part.geo' cannot be meshed: mesher crashes "
              "(Aborted)" +
                printed);
    EXPECT_EQ(end_of([](const Stage &) {
                std::raise(SIGKILL);
                return std::string();
              }),
              "3 The mesh file 'part.geo' cannot be read: mesher was killed, "
              "perhaps for lack of memory" +
                printed);
    EXPECT_EQ(
      end_of([](const Stage &) {
        std::exit(0);
        return std::string();
      }),
      "3 The mesh file 'part.geo' cannot be read: mesher ends without a "
      "result, as the command 'Exit' of a script makes it do" +
        printed);
    EXPECT_TRUE(has_log());
  }


  TEST(OwnProcess, IsStopped)
  {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(end_of(
                [](const Stage &stage) {
                  stage("meshed");
                  std::this_thread::sleep_for(std::chrono::hours(1));
                  return std::string();
                },
                0.3),
              "3 The mesh file 'part.geo' cannot be meshed: mesher was stopped "
              "after 0.3 s, which 'Time' allows" +
                printed);
    EXPECT_LT(std::chrono::steady_clock::now() - begin,
              std::chrono::seconds(60));
    EXPECT_TRUE(has_log());
  }


  TEST(OwnProcess, NeedsALog)
  {
    EXPECT_EQ(end_of([](const Stage &) { return std::string("done"); }),
              "done");
    EXPECT_TRUE(has_log());
    try
      {
        in_own_process({[](const Stage &) { return std::string(); }, "mesher",
                        "x", "/nowhere/log", 1, "", ""});
        ADD_FAILURE();
      }
    catch (const Error &error)
      {
        EXPECT_EQ(std::string(error.what()),
                  "The file '/nowhere/log' cannot be written: No such file or "
                  "directory.");
      }
  }
} // namespace
