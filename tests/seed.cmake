# ctest reads this file when it starts, after it has read all tests.
# TESSERA_TEST_SEED says which combinations of large tests have their turn (turns.h): the
# number of commits, so that ten successive commits try all of them, or what was asked for.
# A clone without history knows no number, and takes the name of its commit instead.
if("$ENV{TESSERA_TEST_SEED}" STREQUAL "")
  set(git git -C @PROJECT_SOURCE_DIR@)
  execute_process(COMMAND ${git} rev-parse --is-shallow-repository
    OUTPUT_VARIABLE shallow ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(seed 0)
  if(shallow STREQUAL "false")
    execute_process(COMMAND ${git} rev-list --count HEAD
      OUTPUT_VARIABLE seed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  elseif(shallow STREQUAL "true")
    execute_process(COMMAND ${git} rev-parse --short=7 HEAD
      OUTPUT_VARIABLE seed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    math(EXPR seed "0x${seed}")
  endif()
  set(ENV{TESSERA_TEST_SEED} ${seed})
endif()
message("Large tests try some of their combinations, by the seed $ENV{TESSERA_TEST_SEED}.")
if("$ENV{TESSERA_TEST_SEED}" STREQUAL "full")
  # Ten times as many combinations take ten times as long.
  set_tests_properties(@long_tests@ PROPERTIES TIMEOUT 9000)
endif()
