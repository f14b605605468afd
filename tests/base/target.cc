#include "test.h"

#include <tessera/base/error.h>
#include <tessera/base/target.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace tessera;

// The instruction set is chosen once per process, so every choice is tested in
// a process of its own.
namespace
{
  bool
  is_there(const InstructionSet set)
  {
    const auto sets = available_instruction_sets();
    return std::count(sets.begin(), sets.end(), set) > 0;
  }

  InstructionSet
  best()
  {
    return is_there(InstructionSet::x86_64_v4)   ? InstructionSet::x86_64_v4
           : is_there(InstructionSet::x86_64_v3) ? InstructionSet::x86_64_v3
                                                 : InstructionSet::x86_64;
  }

  /// Ends the process with the number of the set, or with 100 + the exit code
  /// of the error after printing its sentence.
  void
  choose(const char *name)
  {
    if (name == nullptr)
      unsetenv("TESSERA_SIMD");
    else
      setenv("TESSERA_SIMD", name, 1);
    try
      {
        const InstructionSet set = host_instruction_set();
        setenv("TESSERA_SIMD", "later", 1);
        const int bits  = 128 << static_cast<int>(set);
        const bool fits = host_instruction_set() == set &&
                          lanes<double>(Backend::host) == bits / 64 &&
                          lanes<float>(Backend::host) == bits / 32 &&
                          lanes<double>(Backend::cuda) == 32 &&
                          lanes<float>(Backend::cuda) == 32;
        std::exit(fits ? static_cast<int>(set) : 99);
      }
    catch (const Error &error)
      {
        std::fputs(error.what(), stderr);
        std::exit(100 + static_cast<int>(error.exit_code()));
      }
  }
} // namespace

TEST(HostInstructionSet, IsTheBestUnlessTheEnvironmentNamesAnother)
{
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(choose(nullptr),
              testing::ExitedWithCode(static_cast<int>(best())), "");
  for (const InstructionSet set :
       {InstructionSet::x86_64, InstructionSet::x86_64_v3,
        InstructionSet::x86_64_v4})
    {
      const bool there = is_there(set);
      EXPECT_EXIT(choose(to_string(set).c_str()),
                  testing::ExitedWithCode(there ? static_cast<int>(set) : 102),
                  there ? "" : "TESSERA_SIMD is '" + to_string(set));
    }
}

TEST(HostInstructionSet, IsOneThatTheProcessorHas)
{
  EXPECT_FALSE(available_instruction_sets().empty());
  EXPECT_LE(is_there(InstructionSet::x86_64_v4),
            __builtin_cpu_supports("x86-64-v4") != 0);
  EXPECT_LE(is_there(InstructionSet::x86_64_v3),
            __builtin_cpu_supports("x86-64-v3") != 0);
}

TEST(HostInstructionSet, UnknownNamesAreRefused)
{
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const char *name : {"sse9", "", "X86_64"})
    EXPECT_EXIT(choose(name), testing::ExitedWithCode(102),
                "TESSERA_SIMD is '" + std::string(name) + "'; legal here is ");
}
