#include <tessera/base/failure.h>

#include <new>

#include "test.h"

using namespace tessera;

namespace
{
  template <class Exception>
  Failure
  failure_of(const Exception &exception)
  {
    try
      {
        throw exception;
      }
    catch (const std::exception &)
      {
        return current_failure();
      }
  }
} // namespace

TEST(FailureTest, AnErrorHasItsCodeAndSentence)
{
  const Failure failure = failure_of(MeshError("Cell 7 is inverted."));
  EXPECT_EQ(failure.code, ExitCode::mesh);
  EXPECT_EQ(failure.sentence, "Cell 7 is inverted.");
}

TEST(FailureTest, MemoryHasASentence)
{
  const Failure failure = failure_of(std::bad_alloc());
  EXPECT_EQ(failure.code, ExitCode::device);
  EXPECT_NE(failure.sentence.find("not enough memory"), std::string::npos);
}

TEST(FailureTest, OthersHaveTheFirstLineOfTheirMessage)
{
  const auto sentence = [](const std::string &message) {
    const Failure failure = failure_of(std::logic_error(message));
    EXPECT_EQ(failure.code, ExitCode::other);
    return failure.sentence;
  };
  EXPECT_EQ(sentence("\n  It failed.\nAt line 3."), "It failed.");
  EXPECT_EQ(sentence(" \n"), "unknown error");
}

TEST(FailureTest, WhatIsNoExceptionGoesOn)
{
  const auto describe = []() {
    try
      {
        throw 7;
      }
    catch (...)
      {
        current_failure();
      }
  };
  EXPECT_THROW(describe(), int);
}
