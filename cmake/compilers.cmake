# Sets the languages, flags and packages that everything below uses.

set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

find_program(CCACHE ccache)
if(CCACHE)
  # Paths below this folder count as relative, so that another clone finds what
  # was compiled. The second variable admits precompiled headers.
  set(CCACHE ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${CCACHE})
endif()

# nvcc may not be on PATH: look in its default folder too.
set(TESSERA_WITH_CUDA OFF)
if(TESSERA_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(nvcc nvcc HINTS /usr/local/cuda/bin)
    if(nvcc)
      set(CMAKE_CUDA_COMPILER ${nvcc})
    endif()
  endif()
  # PTX, from which a driver makes code for newer devices, for the newest alone.
  set(CMAKE_CUDA_ARCHITECTURES ${TESSERA_CUDA_ARCHITECTURES})
  list(SORT CMAKE_CUDA_ARCHITECTURES COMPARE NATURAL)
  list(POP_BACK CMAKE_CUDA_ARCHITECTURES newest)
  list(TRANSFORM CMAKE_CUDA_ARCHITECTURES APPEND -real REGEX "^[0-9]+$")
  list(APPEND CMAKE_CUDA_ARCHITECTURES ${newest})
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit REQUIRED)
    set(CMAKE_CUDA_STANDARD 17)
    set(CMAKE_CUDA_FLAGS_RELEASE "-O3 -DNDEBUG")
    set(TESSERA_WITH_CUDA ON)
  endif()
endif()
message(STATUS "CUDA backend: ${TESSERA_WITH_CUDA}")

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX)
find_package(nlohmann_json 3.9 REQUIRED)
find_package(ZLIB REQUIRED)

# All targets here compile with these flags, and no other project sees them:
# targets link them privately, and no interface contains them. Device code is
# compressed, which makes it a fifth of its size; it is most of the library. GCC looks
# for garbage when it holds 2 GB instead of 256 MB, which made each of five sources that
# were tried 3 to 13 % faster; the largest of them held 1.1 GB with and without this.
add_library(tessera_flags INTERFACE)
target_include_directories(tessera_flags INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_compile_options(tessera_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wno-unknown-pragmas -Wno-psabi>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=1000000>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wno-unknown-pragmas -Xptxas=-warn-spills
                             -Xfatbin=-compress-all>)
target_link_libraries(tessera_flags INTERFACE OpenMP::OpenMP_CXX Threads::Threads
                      nlohmann_json::nlohmann_json)
# Half of the libraries that deal.II names are not used by anything here.
target_link_options(tessera_flags INTERFACE LINKER:--as-needed)

# tessera_compile_together(TARGET) compiles the sources of a target six at a time,
# because most of their time goes to headers that all of them include. Names
# in unnamed namespaces therefore have to differ within a target. GCC takes the sources
# for headers, and warns of functions that capture names of such a namespace.
function(tessera_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 6)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# Optimisation of code that is compiled for tests alone, after other flags: -Og compiles in
# half of the time of -O1, and with the passes it leaves out the code is nearly as fast.
set(TESSERA_TEST_OPTIMIZATION -Og -finline-functions-called-once -ftree-sra -ftree-pta
    -ftree-dse -fssa-phiopt -fipa-modref -ftree-bit-ccp)

# tessera_compile_reference() compiles the unit of compile time once more, without the
# compiler cache and with separate flags. Calls stand all over the project, so that
# lint.compile_time knows the unit's time at the moment when an object was compiled.
function(tessera_compile_reference)
  if(NOT TESSERA_TESTS)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY tessera_references x)
  get_property(references GLOBAL PROPERTY tessera_references)
  list(LENGTH references n)
  add_library(tessera_reference_${n} OBJECT ${PROJECT_SOURCE_DIR}/tests/lint/reference.cc)
  target_compile_options(tessera_reference_${n} PRIVATE -O1 -g0)
  # A compiler may be a link to ccache, too.
  set_target_properties(tessera_reference_${n} PROPERTIES
    CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_DISABLE=1")
endfunction()
