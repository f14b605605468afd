# tessera_add_library(NAME [DEVICE cuda|shim] [SANITIZE])
#
# The layers below `dealii` as one library, from all files of
# source/<layer>/:
#   *.cc       plain C++
#   *_host.cc  host kernels, compiled once for each instruction set of
#              tessera_instruction_sets and chosen at run time
#   *.cu       device kernels, by nvcc, or by g++ for the fiber shim
# The shim also stands in where there is no nvcc: it reports no device.
set(TESSERA_LAYERS base space forms assembly matrix matrices operators solvers
                   preconditioners study)
# Name of the tag in base/target.h and the compiler's name for it.
set(tessera_instruction_sets X86_64 X86_64_v3 X86_64_v4)
set(tessera_march_X86_64 x86-64)
set(tessera_march_X86_64_v3 x86-64-v3)
set(tessera_march_X86_64_v4 x86-64-v4)

function(tessera_add_library name)
  cmake_parse_arguments(arg "SANITIZE" "DEVICE" "" ${ARGN})
  set(plain "")
  set(host "")
  set(device "")
  foreach(layer ${TESSERA_LAYERS})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/source/${layer}/*.cc)
    list(APPEND plain ${files})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/source/${layer}/*_host.cc)
    list(APPEND host ${files})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/source/${layer}/*.cu)
    list(APPEND device ${files})
  endforeach()
  list(REMOVE_ITEM plain ${host} "")
  list(FILTER plain EXCLUDE REGEX "/shim_[a-z_]*\\.cc$")

  set(sanitizers "")
  if(arg_SANITIZE)
    set(sanitizers -fsanitize=address,undefined -fno-sanitize-recover=undefined
                   -fno-omit-frame-pointer -g1 -O1)
  endif()

  set(objects "")
  foreach(set ${tessera_instruction_sets})
    # Under sanitizers tests run the baseline (TESSERA_SIMD); it alone is worth
    # the minutes that its compilation takes.
    if(arg_SANITIZE AND NOT set STREQUAL "X86_64")
      list(APPEND objects $<TARGET_OBJECTS:tessera_${set}>)
      continue()
    endif()
    add_library(${name}_${set} OBJECT ${host})
    target_link_libraries(${name}_${set} PRIVATE tessera_flags)
    target_compile_options(${name}_${set} PRIVATE ${sanitizers}
      -march=${tessera_march_${set}} -mprefer-vector-width=512 -ffp-contract=fast)
    target_compile_definitions(${name}_${set} PRIVATE TESSERA_ISA=${set})
    list(APPEND objects $<TARGET_OBJECTS:${name}_${set}>)
  endforeach()

  if(arg_DEVICE STREQUAL "shim")
    list(FILTER device EXCLUDE REGEX "/cuda_[a-z_]*\\.cu$")
    file(GLOB shim CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/source/base/shim_*.cc)
    add_library(${name}_device OBJECT ${device} ${shim})
    set_source_files_properties(${device} TARGET_DIRECTORY ${name}_device
      PROPERTIES LANGUAGE CXX)
    target_compile_options(${name}_device PRIVATE ${sanitizers} -x c++)
    target_compile_definitions(${name}_device PRIVATE TESSERA_SHIM)
  else()
    add_library(${name}_device OBJECT ${device})
    set_source_files_properties(${device} TARGET_DIRECTORY ${name}_device
      PROPERTIES LANGUAGE CUDA)
  endif()
  target_link_libraries(${name}_device PRIVATE tessera_flags)
  list(APPEND objects $<TARGET_OBJECTS:${name}_device>)

  set(kind SHARED) # one copy of the kernels for all programs
  if(arg_SANITIZE)
    set(kind STATIC)
  endif()
  add_library(${name} ${kind} ${plain} ${objects})
  target_link_libraries(${name} PRIVATE tessera_flags tessera_version ZLIB::ZLIB
                        PUBLIC OpenMP::OpenMP_CXX Threads::Threads)
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_compile_options(${name} PUBLIC ${sanitizers})
  if(arg_SANITIZE)
    target_link_options(${name} PUBLIC -fsanitize=address,undefined)
  endif()
  if(arg_DEVICE STREQUAL "cuda")
    target_link_libraries(${name} PRIVATE CUDA::cudart_static)
  endif()
endfunction()
