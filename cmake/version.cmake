# The library tessera_version says what was compiled, how and by what.
# Everything but the commit is fixed when CMake runs. The commit is looked up at
# every build, and one small file is compiled again when it has changed.
set(TESSERA_REVISION "" CACHE STRING
    "Commit to report where the sources are not a git checkout")

set(version_folder ${PROJECT_BINARY_DIR}/version)

if(CMAKE_SCRIPT_MODE_FILE)
  # cmake -D SOURCE=... -D REVISION=... -D OUTPUT=... -P version.cmake
  set(hash "${REVISION}")
  set(dirty false)
  execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE asked RESULT_VARIABLE failed ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(hash ${asked})
    execute_process(
      COMMAND git -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes)
      set(dirty true)
    endif()
  endif()
  file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
namespace tessera::program
{
  extern const char git_hash[];
  extern const bool git_dirty;
  const char git_hash[]  = "@hash@";
  const bool git_dirty   = @dirty@;
}
]] @ONLY)
  return()
endif()

string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
set(flags "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}")
set(cxx "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
set(versions "{\"cxx\", \"${cxx}\"}, {\"cmake\", \"${CMAKE_VERSION}\"}")
set(architectures "")
if(TESSERA_WITH_CUDA)
  string(APPEND flags "; CUDA: ${CMAKE_CUDA_FLAGS} ${CMAKE_CUDA_FLAGS_${type}}")
  string(APPEND versions ", {\"cuda\", \"${CMAKE_CUDA_COMPILER_VERSION}\"}")
  list(TRANSFORM TESSERA_CUDA_ARCHITECTURES REPLACE "(.+)" "\"\\1\""
       OUTPUT_VARIABLE architectures)
  list(JOIN architectures ", " architectures)
endif()
if(deal.II_FOUND)
  string(APPEND versions ", {\"deal.II\", \"${DEAL_II_PACKAGE_VERSION}\"}")
endif()
string(STRIP "${flags}" flags)

file(CONFIGURE OUTPUT ${version_folder}/build_information.cc CONTENT [[
#include <tessera/program/build_information.h>

namespace tessera::program
{
  extern const char git_hash[];
  extern const bool git_dirty;

  BuildInformation build_information()
  {
    return {"@PROJECT_VERSION@", git_hash, git_dirty, "@CMAKE_BUILD_TYPE@",
            R"(@flags@)", {@architectures@}, {@versions@}};
  }
}
]] @ONLY)

add_custom_target(tessera_revision
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR}
          -D REVISION=${TESSERA_REVISION} -D OUTPUT=${version_folder}/git.cc
          -P ${CMAKE_CURRENT_LIST_FILE}
  BYPRODUCTS ${version_folder}/git.cc
  COMMENT "Looking up the commit" VERBATIM)

add_library(tessera_version STATIC
  ${version_folder}/build_information.cc ${version_folder}/git.cc)
target_include_directories(tessera_version PRIVATE ${PROJECT_SOURCE_DIR}/include)
add_dependencies(tessera_version tessera_revision)
