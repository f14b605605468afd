#include <tessera/base/error.h>
#include <tessera/fem/output/checkpoint.h>

#include "parts.h"
#include "test.h"

#include <filesystem>

// These tests run in several processes (mpirun).
namespace tessera
{
  namespace
  {
    const std::map<std::string, std::string> problem = {{"nodes", "40"}};

    /// The name of a file in a folder of all processes, which the first one
    /// makes.
    std::string
    common_path()
    {
      std::string folder;
      if (processes().rank() == 0)
        {
          const auto *test =
            testing::UnitTest::GetInstance()->current_test_info();
          folder = (std::filesystem::temp_directory_path() /
                    ("checkpoint." + std::to_string(getpid())) / test->name())
                     .string();
          std::filesystem::create_directories(folder);
        }
      return processes().first_text(folder) + "/state";
    }

    /// The nodes of a process, which has none if it is the last one or, with a
    /// `shift` of 1, the one before. Each of 40 nodes belongs to one process.
    std::vector<std::int64_t>
    nodes_of(const int rank, const int shift)
    {
      const int n = processes().size(), n_with = std::max(1, n - 1);
      std::vector<std::int64_t> result;
      for (int node = 39; node >= 0; --node)
        if ((node / 3 + shift) % n_with == (rank + shift) % n)
          result.push_back(node);
      return result;
    }

    State
    state_of(const std::vector<std::int64_t> &nodes)
    {
      State state;
      state.arrays["time"] = {3};
      auto &V              = state.at["nodes"]["potential"];
      for (const auto node : nodes)
        for (int k = 0; k < 3; ++k)
          V.push_back(10 * node + k);
      return state;
    }

    Checkpoint
    checkpoint(const std::string &path, const std::vector<std::int64_t> &nodes)
    {
      return {path, problem, {{"nodes", nodes}}, processes()};
    }
  } // namespace


  /// What some processes have written, others read, as does each alone.
  TEST(ParallelCheckpoint, GoesOnInAnotherDivision)
  {
    const std::string path = common_path();
    const auto local       = nodes_of(processes().rank(), 0);
    checkpoint(path, local).write(state_of(local));
    std::vector<std::int64_t> all(40);
    for (int i = 0; i < 40; ++i)
      all[i] = i;
    for (const auto &nodes : {local, nodes_of(processes().rank(), 1), all})
      {
        const auto read = checkpoint(path, nodes).read();
        ASSERT_TRUE(read);
        EXPECT_EQ(read->number("time"), 3);
        EXPECT_EQ(read->at, state_of(nodes).at);
      }
    processes().wait();
    if (processes().rank() == 0)
      std::filesystem::remove_all(std::filesystem::path(path).parent_path());
  }


  TEST(ParallelCheckpoint, WhatTheFirstCannotWriteIsThrownInAll)
  {
    std::string sentence;
    try
      {
        const auto local = nodes_of(processes().rank(), 0);
        checkpoint(common_path() + "/none", local).write(state_of(local));
      }
    catch (const Error &error)
      {
        sentence = error.what();
      }
    EXPECT_NE(sentence.find("cannot be written"), std::string::npos);
    EXPECT_TRUE(processes().agree_on(sentence));
  }


  TEST(ParallelCheckpoint, SumsOfHashesAreThoseOfAllCells)
  {
    SumOfHashes local, all;
    for (const auto node : nodes_of(processes().rank(), 0))
      local.add(node, {0.1 * node});
    for (int node = 0; node < 40; ++node)
      all.add(node, {0.1 * node});
    EXPECT_EQ(local.of_all(processes()), all.of_all(Processes::alone()));
  }
} // namespace tessera
