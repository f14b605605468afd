#include <tessera/base/error.h>
#include <tessera/parallel/node_exchange.h>
#include <tessera/parallel/run_together.h>
#include <tessera/parallel/write_together.h>

#include <cmath>
#include <limits>
#include <new>

#include "parts.h"
#include "test.h"

// These tests run in several processes (mpirun).
namespace tessera
{
  // This test comes first, before MPI is started.
  TEST(ProcessesTest, OneAloneNeedsNoMpi)
  {
    const Processes &one = Processes::alone();
    EXPECT_EQ(one.rank(), 0);
    EXPECT_EQ(one.size(), 1);
    EXPECT_EQ(one.rank_on_machine(), 0);
    EXPECT_EQ(one.size_on_machine(), 1);
    const std::vector<double> values{1, 2};
    std::vector<double> same = values;
    one.sum(same);
    NodeExchange().import(same);
    NodeExchange().export_add(same);
    EXPECT_EQ(same, values);
    EXPECT_EQ(one.gather(3), std::vector<double>{3});
    EXPECT_TRUE(one.any(true));
    EXPECT_FALSE(one.any(false));
    EXPECT_EQ(one.largest(-2), -2);
    EXPECT_EQ(one.first_text("a"), "a");
    EXPECT_EQ(one.deal_out([](const int rank) {
      return std::vector<char>(2, static_cast<char>('a' + rank));
    }),
              std::vector<char>(2, 'a'));
    EXPECT_TRUE(one.agree_on("a"));
    one.wait();
    EXPECT_TRUE(one.wait(0.));
    EXPECT_EQ(one.agree({}, {1, 2}).to.n_entries(), 0);
    // What is thrown stays what it is.
    EXPECT_THROW(one.collectively([]() { throw std::bad_alloc(); }),
                 std::bad_alloc);
    std::string text;
    write_together(
      one,
      [&](const CollectBytes &collect) {
        collect(2, [&](const char *const bytes, const std::size_t n) {
          text.append(bytes, n);
        });
      },
      [](const int section, const TakeBytes &take) { take("abc", section); });
    EXPECT_EQ(text, "ab");
  }

  TEST(ProcessesTest, OneThatMpirunStartedIsAlone)
  {
    EXPECT_TRUE(started_by_mpi());
    EXPECT_EQ(Processes::of_program().size(), processes().size());
  }

  TEST(ProcessesTest, NaNIsTheLargestWhereverItIs)
  {
    const int n = processes().size(), self = processes().rank();
    EXPECT_EQ(processes().largest(-1. - self), -1);
    EXPECT_EQ(processes().largest(self), n - 1);
    for (int k = 0; k < n; ++k)
      EXPECT_TRUE(std::isnan(processes().largest(
        self == k ? std::numeric_limits<double>::quiet_NaN() : self)));
  }

  TEST(ProcessesTest, TheFirstTextIsTheOneOfAll)
  {
    const int n = processes().size(), self = processes().rank();
    EXPECT_EQ(processes().first_text(""), "");
    for (int k = 0; k < n; ++k)
      EXPECT_EQ(
        processes().first_text(self < k ? "" : std::string(self + 1, 'a')),
        std::string(k + 1, 'a'));
  }

  TEST(ProcessesTest, EachGetsWhatTheFirstMakesForIt)
  {
    const int n = processes().size(), self = processes().rank();
    std::vector<int> ranks;
    const auto bytes = processes().deal_out([&](const int rank) {
      ranks.push_back(rank);
      return std::vector<char>(3 * rank, static_cast<char>(rank));
    });
    EXPECT_EQ(bytes, std::vector<char>(3 * self, static_cast<char>(self)));
    EXPECT_EQ(ranks.size(), self == 0 ? n : 0);
    if (self == 0)
      EXPECT_EQ(ranks.back(), 0);
  }

  TEST(ProcessesTest, WhatTheFirstCannotMakeIsASentenceOfAll)
  {
    const int n = processes().size();
    for (int k = 0; k < n; ++k)
      {
        try
          {
            processes().deal_out([k](const int rank) {
              if (rank == k)
                throw MeshError("This is one.");
              return std::vector<char>(1);
            });
            ADD_FAILURE() << "no error";
          }
        catch (const Error &error)
          {
            EXPECT_STREQ(error.what(), "This is one.");
            EXPECT_EQ(error.exit_code(), ExitCode::mesh);
          }
        EXPECT_FALSE(processes().any(false));
      }
  }

  TEST(ProcessesTest, TextsAreComparedWithThoseOfAll)
  {
    const int n = processes().size(), self = processes().rank();
    EXPECT_TRUE(processes().agree_on("the same"));
    EXPECT_EQ(processes().agree_on(self == n - 1 ? "other" : "the same"),
              n == 1);
  }

  TEST(ProcessesTest, TheSettingThatDiffersIsNamed)
  {
    const int n = processes().size(), self = processes().rank();
    const Settings same = {{"Mesh/Cycles", "2"}, {"the version", "1\n0"}};
    EXPECT_EQ(difference(processes(), same), "");
    for (int k = 1; k < n; ++k)
      {
        Settings other = same;
        if (self >= k)
          other["the version"] = "2";
        EXPECT_EQ(difference(processes(), other),
                  "the version is '1\n0' in process 0 and '2' in process " +
                    std::to_string(k));
        other = same;
        if (self == k)
          other["Mesh/Name"] = "";
        EXPECT_EQ(difference(processes(), other),
                  "Mesh/Name is unknown in process 0 and '' in process " +
                    std::to_string(k));
        if (self == 0)
          other.erase("Mesh/Cycles");
        EXPECT_EQ(difference(processes(), other),
                  "Mesh/Cycles is unknown in process 0 and '2' in process 1");
      }
  }

  TEST(ProcessesTest, MemoryOfOneIsASentenceOfAll)
  {
    try
      {
        processes().collectively([]() {
          if (processes().rank() == processes().size() - 1)
            throw std::bad_alloc();
        });
        ADD_FAILURE() << "no error";
      }
    catch (const Error &error)
      {
        EXPECT_EQ(error.exit_code(), ExitCode::device);
        EXPECT_NE(std::string(error.what()).find("not enough memory"),
                  std::string::npos)
          << error.what();
      }
  }

  TEST(ProcessesTest, CodesOfErrorsAreThoseOfTheFirst)
  {
    for (const ExitCode code : {ExitCode::other, ExitCode::interrupted})
      try
        {
          processes().collectively([&]() {
            throw Error(code, "Process " + std::to_string(processes().rank()) +
                                " failed.");
          });
          ADD_FAILURE() << "no error";
        }
      catch (const Error &error)
        {
          EXPECT_STREQ(error.what(), "Process 0 failed.");
          EXPECT_EQ(error.exit_code(), code);
        }
  }

  TEST(ProcessesTest, AllStartOrNone)
  {
    const int n = processes().size(), self = processes().rank();
    for (const bool answers : {false, true})
      {
        EXPECT_NO_THROW(start_together(processes(), [&]() { return answers; }));
        for (int k = 0; k < n; ++k)
          try
            {
              start_together(processes(), [&]() {
                if (self == k)
                  throw ParameterError("The option is wrong.");
                return answers;
              });
              ADD_FAILURE() << "no error in process " << k;
            }
          catch (const Error &error)
            {
              EXPECT_STREQ(error.what(), "The option is wrong.");
              EXPECT_EQ(error.exit_code(), ExitCode::parameter);
            }
      }
    for (int k = 0; k < n && n > 1; ++k)
      EXPECT_THROW(start_together(processes(), [&]() { return self == k; }),
                   ParameterError);
  }
} // namespace tessera
