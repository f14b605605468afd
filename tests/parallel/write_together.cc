#include <tessera/base/error.h>
#include <tessera/parallel/write_together.h>

#include <string>

#include "parts.h"
#include "test.h"

// These tests run in several processes (mpirun).
namespace tessera
{
  namespace
  {
    /// What process `rank` has of a section: pieces, of which one is longer
    /// than a message may be, and nothing in some processes.
    std::vector<std::string>
    pieces_of(const int rank, const int section)
    {
      const char letter = static_cast<char>('a' + rank + 7 * section);
      if (rank == 2)
        return {};
      return {std::string(rank + 1, letter), "",
              std::string(rank == 1 ? (std::size_t(1) << 24) + 3 : 5, letter)};
    }

    void
    produce_pieces(const int section, const TakeBytes &take)
    {
      for (const std::string &piece : pieces_of(processes().rank(), section))
        take(piece.data(), piece.size());
    }

    /// Returns the sentence that `write_together` throws, and expects that all
    /// processes can go on.
    std::string
    sentence_of(const std::function<void(const CollectBytes &)> &write,
                const CollectBytes &produce)
    {
      std::string sentence;
      try
        {
          write_together(processes(), write, produce);
        }
      catch (const Error &error)
        {
          sentence = error.what();
        }
      EXPECT_TRUE(processes().agree_on(sentence));
      return sentence;
    }
  } // namespace

  TEST(WriteTogether, SectionsHaveThePiecesOfAllInTheirOrder)
  {
    std::string found, expected;
    for (const int section : {1, 0, 1})
      for (int rank = 0; rank < processes().size(); ++rank)
        for (const std::string &piece : pieces_of(rank, section))
          expected += piece;
    bool called = false;
    EXPECT_EQ(sentence_of(
                [&](const CollectBytes &collect) {
                  called = true;
                  for (const int section : {1, 0, 1})
                    collect(section,
                            [&](const char *const bytes, const std::size_t n) {
                              found.append(bytes, n);
                            });
                },
                produce_pieces),
              "");
    EXPECT_EQ(called, processes().rank() == 0);
    if (called)
      EXPECT_TRUE(found == expected);
  }

  TEST(WriteTogether, WhatOneCannotProduceIsThrownInAll)
  {
    for (int failing = 0; failing < processes().size(); ++failing)
      {
        bool complete = false;
        EXPECT_EQ(sentence_of(
                    [&](const CollectBytes &collect) {
                      for (const int section : {0, 1})
                        collect(section, [](const char *, std::size_t) {});
                      complete = true;
                    },
                    [&](const int section, const TakeBytes &take) {
                      take("abc", 3);
                      if (section == 1 && processes().rank() == failing)
                        throw Error(ExitCode::other, "There is no more.");
                    }),
                  "There is no more.");
        EXPECT_FALSE(complete);
      }
  }

  TEST(WriteTogether, WhatTheFirstCannotWriteIsThrownInAll)
  {
    const auto fail = []() { throw Error(ExitCode::other, "It is full."); };
    EXPECT_EQ(
      sentence_of([&](const CollectBytes &) { fail(); }, produce_pieces),
      "It is full.");
    EXPECT_EQ(sentence_of(
                [&](const CollectBytes &collect) {
                  std::size_t n_bytes = 0;
                  collect(0, [&](const char *, const std::size_t n) {
                    n_bytes += n;
                    if (n_bytes > 3)
                      fail();
                  });
                },
                produce_pieces),
              "It is full.");
  }
} // namespace tessera
