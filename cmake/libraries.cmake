# tessera_add_library(NAME FOLDERS folder... [INCLUDE folder...] [ON library]
#                     [DEVICE cuda|shim] [SANITIZE])
#
# makes a library from all files of the folders, which are relative to the root:
#   *.cc       plain C++
#   *_host.cc  host kernels, compiled once for each of TESSERA_INSTRUCTION_SETS,
#              of which the best that the processor has is chosen at run time
#   *.cu       device kernels, by nvcc, or by g++ for the fiber shim. Without
#              DEVICE the library reports no device: kernels of cells are left
#              out, and others are compiled as fibers, without optimisation, so
#              that what calls them can be linked
# ON names the library that it stands on: the core, which stands on none. Layers of the
# core are in their order: each includes only those before it (lint.layers).
set(TESSERA_LAYERS base space forms matrix assembly operators preconditioners
                   solvers program)
list(TRANSFORM TESSERA_LAYERS PREPEND source/ OUTPUT_VARIABLE TESSERA_CORE_FOLDERS)
set(TESSERA_STUDY_FOLDERS matrix assembly operators matrices)
list(TRANSFORM TESSERA_STUDY_FOLDERS PREPEND source/study/)
foreach(set ${TESSERA_INSTRUCTION_SETS})
  if(NOT set MATCHES "^X86_64(_v[34])?$")
    message(FATAL_ERROR "TESSERA_INSTRUCTION_SETS names '${set}'; legal are "
                        "X86_64, X86_64_v3 and X86_64_v4.")
  endif()
endforeach()

function(tessera_add_library name)
  cmake_parse_arguments(arg "SANITIZE" "DEVICE;ON" "FOLDERS;INCLUDE" ${ARGN})
  set(plain "")
  set(host "")
  set(device "")
  foreach(folder ${arg_FOLDERS})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cc)
    list(APPEND plain ${files})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*_host.cc)
    list(APPEND host ${files})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cu)
    list(APPEND device ${files})
  endforeach()
  list(REMOVE_ITEM plain ${host} "")
  list(FILTER plain EXCLUDE REGEX "/shim_[a-z_]*\\.cc$")

  # Sanitized code is compiled for the tests alone: for the lowest instruction
  # set that is worth it and some of the elements, with calls instead of inlined
  # functions (base/attributes.h). Kernels of forms are by far the most of it. They
  # are checked where they access memory and not where they add small integers,
  # which would take twice the time. Local variables of kernels are not poisoned at
  # the end of their scope: poisoning takes a quarter of the compilation, and no
  # kernel keeps the address of one for longer. Arithmetic of pointers, a sixth of it,
  # is checked where they are used, by AddressSanitizer.
  set(sanitizers "")
  set(kernel_sanitizers "")
  set(form_sanitizers "")
  if(arg_SANITIZE)
    set(common -fno-sanitize-recover=undefined -fno-omit-frame-pointer -g1)
    set(kernels ${common} -O1 -fno-sanitize-address-use-after-scope
                -DTESSERA_SANITIZED)
    set(sanitizers -fsanitize=address,undefined ${common}
                   ${TESSERA_TEST_OPTIMIZATION} -DTESSERA_SANITIZED)
    set(kernel_sanitizers -fsanitize=address,undefined -fno-sanitize=pointer-overflow
                          ${kernels})
    set(form_sanitizers -fsanitize=address,bounds,alignment ${kernels})
  endif()

  set(sets ${TESSERA_INSTRUCTION_SETS})
  if(arg_SANITIZE AND NOT sets STREQUAL "X86_64")
    set(sets X86_64_v3)
  endif()
  set(tessera_sets ${sets})
  list(TRANSFORM sets PREPEND TESSERA_HAS_ OUTPUT_VARIABLE definitions)
  if(arg_DEVICE)
    list(APPEND definitions TESSERA_HAS_DEVICE)
  endif()

  set(objects "")
  foreach(set ${sets})
    tessera_march(${set} march)
    add_library(${name}_${set} OBJECT ${host})
    target_link_libraries(${name}_${set} PRIVATE tessera_flags)
    target_compile_options(${name}_${set} PRIVATE ${kernel_sanitizers}
      -march=${march} -mprefer-vector-width=512 -ffp-contract=fast)
    target_compile_definitions(${name}_${set} PRIVATE TESSERA_ISA=${set}
      ${definitions})
    list(APPEND objects $<TARGET_OBJECTS:${name}_${set}>)
  endforeach()

  set(language CUDA)
  if(NOT arg_DEVICE STREQUAL "cuda")
    set(language CXX)
    list(FILTER device EXCLUDE REGEX "/cuda_[a-z_]*\\.cu$")
    if(NOT arg_ON)
      file(GLOB shim CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/source/base/shim_*.cc)
      list(APPEND device ${shim})
    endif()
  endif()
  if(NOT arg_DEVICE)
    foreach(file ${device})
      file(STRINGS ${file} cells REGEX "space/instantiate\\.inc")
      if(cells)
        list(REMOVE_ITEM device ${file})
      endif()
    endforeach()
  endif()
  add_library(${name}_device OBJECT ${device})
  set_source_files_properties(${device} TARGET_DIRECTORY ${name}_device
    PROPERTIES LANGUAGE ${language})
  if(arg_DEVICE STREQUAL "cuda")
    set_property(GLOBAL APPEND PROPERTY tessera_devices ${name}_device)
  else()
    target_compile_options(${name}_device PRIVATE ${kernel_sanitizers} -x c++)
    target_compile_definitions(${name}_device PRIVATE TESSERA_SHIM)
  endif()
  if(NOT arg_DEVICE)
    target_compile_options(${name}_device PRIVATE -O0) # never runs
  endif()
  target_link_libraries(${name}_device PRIVATE tessera_flags)
  target_compile_definitions(${name}_device PRIVATE ${definitions})
  list(APPEND objects $<TARGET_OBJECTS:${name}_device>)

  add_library(${name} SHARED ${plain} ${objects})
  if(arg_ON)
    # It registers its contents, and nobody need refer to its symbols. Programs of this
    # tree load only libraries that they use (lint.needed), so that each refers to this one
    # by an object that is compiled once; programs that find the build tree compile it themselves.
    set(linked ${CMAKE_CURRENT_BINARY_DIR}/${name}_is_linked)
    file(CONFIGURE OUTPUT ${linked}.cc CONTENT
      "extern \"C\" const int ${name}_is_linked;\nconst int ${name}_is_linked = 1;\n")
    file(CONFIGURE OUTPUT ${linked}_by.cc CONTENT
      "extern \"C\" const int ${name}_is_linked;
__attribute__((weak)) const int *${name}_is_linked_by = &${name}_is_linked;\n")
    add_library(${name}_is_linked_by OBJECT ${linked}_by.cc)
    set(here $<TARGET_EXISTS:${name}_is_linked_by>)
    set(asks $<${here}:$<TARGET_OBJECTS:${name}_is_linked_by>>$<$<NOT:${here}>:${linked}_by.cc>)
    target_sources(${name} PRIVATE ${linked}.cc INTERFACE $<BUILD_INTERFACE:${asks}>)
    target_link_options(${name} INTERFACE $<INSTALL_INTERFACE:LINKER:--no-as-needed>)
    target_link_libraries(${name} PRIVATE tessera_flags PUBLIC ${arg_ON})
  else()
    target_link_libraries(${name} PRIVATE tessera_flags tessera_version ZLIB::ZLIB
                          PUBLIC OpenMP::OpenMP_CXX Threads::Threads)
  endif()
  foreach(folder ${arg_INCLUDE})
    target_include_directories(${name} PUBLIC $<BUILD_INTERFACE:${folder}>)
    foreach(part ${sets} device)
      target_include_directories(${name}_${part} PRIVATE ${folder})
    endforeach()
  endforeach()
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(${name} PUBLIC cxx_std_17)
  target_compile_definitions(${name} PUBLIC ${definitions})
  target_compile_options(${name} PRIVATE ${sanitizers})
  if(NOT arg_SANITIZE)
    # A library is complete with the one it stands on, and needs nothing above.
    target_link_options(${name} PRIVATE LINKER:-z,defs)
  endif()
  tessera_compile_together(${name})
  if(arg_SANITIZE)
    # Programs without sanitizers must not put their copies of
    # inline functions before the library's.
    target_link_options(${name} PUBLIC -fsanitize=address,undefined
                        PRIVATE -Wl,-Bsymbolic)
  endif()
  # This library and the libraries of forms, whose kernels it launches, share
  # one CUDA runtime.
  if(arg_DEVICE STREQUAL "cuda")
    target_link_libraries(${name} PRIVATE CUDA::cudart)
  endif()
  # Properties that tessera_add_form reads.
  set_target_properties(${name} PROPERTIES TESSERA_DEVICE "${arg_DEVICE}"
    TESSERA_SETS "${tessera_sets}" TESSERA_OPTIONS "${form_sanitizers}"
    TESSERA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}" EXPORT_PROPERTIES
    "TESSERA_DEVICE;TESSERA_ARCHITECTURES;TESSERA_SETS;TESSERA_OPTIONS")
endfunction()
