# Kernels of forms: each form is a library of its own, from the sources of
# source/kernels, which are compiled with a header `this_form.h` that says which
# form they are for. This file serves this project and, installed, others.
#
#   tessera_add_form(NAME LIBRARY <library> CLASS <class> [HEADER <header>]
#                    [MAX_DEGREE 1..4] [NUMBERS double|double_float]
#                    [TARGET <target>])
#
# makes the library TARGET (default <library>_<name>, tessera_<name> with
# tessera::tessera) with the function
# `tessera::NAME(coefficient)`, which HEADER (default tessera/forms/<name>.h)
# declares beside the class template CLASS<dim>. LIBRARY is `tessera` or, in
# another project, tessera::tessera. doc/add_a_form.md has an example.
#
# Kernels are compiled as the library was: its properties TESSERA_DEVICE (cuda,
# shim or empty), TESSERA_ARCHITECTURES, TESSERA_SETS (instruction sets) and
# TESSERA_OPTIONS say how. With cuda, the language CUDA has to be enabled before.

# Sets `result` to the compiler's name for an instruction set of base/target.h.
function(tessera_march set result)
  string(TOLOWER ${set} name)
  string(REPLACE "x86_64_" "x86-64-" name ${name})
  string(REPLACE "x86_64" "x86-64" name ${name})
  set(${result} ${name} PARENT_SCOPE)
endfunction()

# This is the folder source/kernels for every scope that calls the function
# below. An install sets it in tesseraConfig.cmake.
if(NOT TESSERA_KERNELS)
  set(TESSERA_KERNELS ${CMAKE_CURRENT_LIST_DIR}/../source/kernels)
endif()
set_property(GLOBAL PROPERTY TESSERA_KERNELS ${TESSERA_KERNELS})

# tessera_compile_form(PARTS NAME TARGET LIBRARY CLASS HEADER MAX_DEGREE NUMBERS FOLDER HOST
# KERNELS) compiles files of FOLDER for a form as LIBRARY was compiled: HOST, a list of *.cc,
# once for each instruction set, and KERNELS, a list of *.cu, for the device. Sets PARTS to
# the object libraries, TARGET_<set> and TARGET_device.
function(tessera_compile_form result form_NAME target library form_CLASS form_HEADER
         form_MAX_DEGREE numbers source host kernels)
  set(form_FLOAT 0)
  if(numbers STREQUAL "double_float")
    set(form_FLOAT 1)
  endif()
  get_property(TESSERA_KERNELS GLOBAL PROPERTY TESSERA_KERNELS)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/forms/${target})
  configure_file(${TESSERA_KERNELS}/this_form.h.in ${folder}/this_form.h @ONLY)
  get_target_property(device ${library} TESSERA_DEVICE)
  get_target_property(sets ${library} TESSERA_SETS)
  get_target_property(options ${library} TESSERA_OPTIONS)
  list(TRANSFORM host PREPEND ${source}/)
  list(TRANSFORM kernels PREPEND ${source}/)
  set(parts "")
  foreach(set ${sets})
    tessera_march(${set} march)
    add_library(${target}_${set} OBJECT ${host})
    target_compile_options(${target}_${set} PRIVATE ${options}
      -march=${march} -mprefer-vector-width=512
      -ffp-contract=fast)
    target_compile_definitions(${target}_${set} PRIVATE TESSERA_ISA=${set})
    list(APPEND parts ${target}_${set})
  endforeach()
  if(device)
    add_library(${target}_device OBJECT ${kernels})
    set(language CUDA)
    if(device STREQUAL "shim")
      set(language CXX)
      target_compile_options(${target}_device PRIVATE ${options} -x c++)
      target_compile_definitions(${target}_device PRIVATE TESSERA_SHIM)
    endif()
    set_source_files_properties(${kernels} TARGET_DIRECTORY ${target}_device
      PROPERTIES LANGUAGE ${language})
    list(APPEND parts ${target}_device)
  endif()
  foreach(part ${parts})
    tessera_use_form(${part} ${target} ${library})
  endforeach()
  set(${result} ${parts} PARENT_SCOPE)
endfunction()

# tessera_use_form(PART TARGET LIBRARY) lets a target be compiled with the header of the
# form and with what LIBRARY passes on to its users; the library itself is not linked.
function(tessera_use_form part target library)
  target_include_directories(${part} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/forms/${target}
                             ${CMAKE_CURRENT_SOURCE_DIR})
  set_target_properties(${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(usage INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_FEATURES)
  if(TARGET tessera_flags)
    target_link_libraries(${part} PRIVATE tessera_flags)
  else()
    list(APPEND usage COMPILE_OPTIONS) # OpenMP's
    get_target_property(architectures ${library} TESSERA_ARCHITECTURES)
    set_target_properties(${part} PROPERTIES
      CUDA_ARCHITECTURES "${architectures}" CUDA_STANDARD 17)
  endif()
  foreach(what ${usage})
    set_property(TARGET ${part} APPEND PROPERTY ${what}
      $<TARGET_PROPERTY:${library},INTERFACE_${what}>)
  endforeach()
endfunction()

function(tessera_add_form name)
  cmake_parse_arguments(form "" "LIBRARY;CLASS;HEADER;MAX_DEGREE;NUMBERS;TARGET" "" ${ARGN})
  get_property(TESSERA_KERNELS GLOBAL PROPERTY TESSERA_KERNELS)
  string(REGEX REPLACE "^.*::" "" default_target ${form_LIBRARY}_${name})
  foreach(default "HEADER=tessera/forms/${name}.h" "MAX_DEGREE=4" "NUMBERS=double_float"
          "TARGET=${default_target}")
    string(REGEX MATCH "^([A-Z_]+)=(.*)$" "" ${default})
    if(NOT form_${CMAKE_MATCH_1})
      set(form_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  if(NOT form_MAX_DEGREE MATCHES "^[1-4]$" OR
     NOT form_NUMBERS MATCHES "^double(_float)?$" OR NOT form_CLASS OR
     NOT TARGET ${form_LIBRARY} OR form_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "tessera_add_form(${name}): LIBRARY and CLASS are "
      "needed; MAX_DEGREE is 1 to 4, NUMBERS double or double_float.")
  endif()
  get_target_property(device ${form_LIBRARY} TESSERA_DEVICE)
  get_target_property(options ${form_LIBRARY} TESSERA_OPTIONS)
  # Sanitizers watch low degrees of all forms but the first; others have no code
  # of their own.
  if(options AND NOT name STREQUAL "laplace" AND form_MAX_DEGREE GREATER 2)
    set(form_MAX_DEGREE 2)
  endif()
  if(device STREQUAL "cuda" AND NOT CMAKE_CUDA_COMPILER)
    message(FATAL_ERROR "tessera_add_form(${name}): ${form_LIBRARY} has kernels "
      "for CUDA; enable_language(CUDA) has to come before.")
  elseif(device STREQUAL "cuda" AND NOT TARGET CUDA::cudart)
    find_package(CUDAToolkit REQUIRED)
  endif()
  set(target ${form_TARGET})
  tessera_compile_form(parts ${name} ${target} ${form_LIBRARY} ${form_CLASS} ${form_HEADER}
    ${form_MAX_DEGREE} ${form_NUMBERS} ${TESSERA_KERNELS}
    "assemble_host.cc;matrix_free_host.cc"
    "assemble_diagonal.cu;assemble_rows.cu;assemble_local.cu;matrix_free.cu")
  set(objects "")
  foreach(part ${parts})
    list(APPEND objects $<TARGET_OBJECTS:${part}>)
  endforeach()
  add_library(${target} SHARED ${TESSERA_KERNELS}/compiled_form.cc ${objects})
  set_target_properties(${target} PROPERTIES TESSERA_FORM ${name})
  target_compile_options(${target} PRIVATE ${options})
  tessera_use_form(${target} ${target} ${form_LIBRARY})
  target_link_libraries(${target} PUBLIC ${form_LIBRARY})
  if(device STREQUAL "cuda")
    target_link_libraries(${target} PRIVATE CUDA::cudart)
  elseif(options)
    target_link_options(${target} PRIVATE -Wl,-Bsymbolic)
  endif()
endfunction()

# tessera_link_forms(TARGET LIBRARY FILE...): links the forms of LIBRARY whose
# headers the files include.
function(tessera_link_forms target library)
  foreach(file ${ARGN})
    file(STRINGS ${file} lines REGEX "^#include [<\"].*[a-z_]+\\.h[>\"]")
    foreach(line ${lines})
      string(REGEX REPLACE ".*[</\"]([a-z_]+)\\.h.*" "${library}_\\1" form "${line}")
      if(TARGET ${form})
        get_target_property(is_form ${form} TESSERA_FORM)
        if(is_form)
          target_link_libraries(${target} ${form})
        endif()
      endif()
    endforeach()
  endforeach()
endfunction()

# tessera_add_forms(LIBRARY): the forms of forms.def, as <library>_<name>. Sets
# `tessera_forms` to their names.
function(tessera_add_forms library)
  tessera_compile_reference()
  set(list ${PROJECT_SOURCE_DIR}/include/tessera/forms/forms.def)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
  file(STRINGS ${list} lines REGEX "^  ([a-z_]+,|[A-Z].*\\))$")
  set(names "")
  foreach(line ${lines})
    if(line MATCHES "^  ([a-z_]+),$")
      set(name ${CMAKE_MATCH_1})
    elseif(line MATCHES "^  ([A-Za-z]+), ([0-9]+), ([a-z_]+)\\)$")
      tessera_add_form(${name} LIBRARY ${library} CLASS ${CMAKE_MATCH_1}
        MAX_DEGREE ${CMAKE_MATCH_2} NUMBERS ${CMAKE_MATCH_3})
      list(APPEND names ${name})
    else()
      message(FATAL_ERROR "forms.def: a line that is not understood: ${line}")
    endif()
  endforeach()
  set(tessera_forms ${names} PARENT_SCOPE)
endfunction()
