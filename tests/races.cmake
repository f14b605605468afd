# The library tessera_races is tessera_shim with a difference: device kernels whose
# threads share memory or add to common places call the race detector
# (source/base/shim_races.cc) where they access memory. Laplace's form stands for all
# forms, since their kernels have the same text.
set(tessera_races_watch -fsanitize=thread -fno-omit-frame-pointer -g1 -O1
  "SHELL:--param tsan-instrument-func-entry-exit=0"
  "SHELL:--param tsan-distinguish-volatile=1" -DTESSERA_SANITIZED)
# Each file of tests is followed by a filter for the tests that run so.
set(tessera_races_tests
  operators/application *OneBlock*:*Interior*
  assembly/rows         *Coloring*:*AddsTo*:*Shared*
  study/append          *ManyCells*
  assembly/load_vector  *OfTheOracle*
  assembly/boundary_terms *Load.IsThat*
  operators/boundary    *Lifts*:*Gathered*
  preconditioners/ssor  *OfFaces*
  matrix/row_products   *
  matrix/sparse_product *IsThat*
  matrix/blocks         *FewRows*:*Elimination*
  study/lazy_ell        *TwoCells*:*Faces*:*AnyLength*
  matrix/packed_columns *Lines*:FloatValues*
  matrix/csr_pattern    *ManyCells:*Ghosts
  solvers/cg_methods    *EveryIterationLimit*)

# tessera_add_races(NAME LIBRARY FILE...): NAME is LIBRARY, of the shim, with the
# device kernels of these files watched. They come first, because an inline
# function that host and device share is linked from the first object that has it.
function(tessera_add_races name library)
  add_library(${name}_device OBJECT ${ARGN})
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${name}_device
    PROPERTIES LANGUAGE CXX)
  target_compile_options(${name}_device PRIVATE ${tessera_races_watch} -x c++)
  target_link_libraries(${name}_device PRIVATE tessera_flags)
  target_include_directories(${name}_device PRIVATE
    $<TARGET_PROPERTY:${library}_device,INCLUDE_DIRECTORIES>)
  target_compile_definitions(${name}_device PRIVATE
    $<TARGET_PROPERTY:${library}_device,COMPILE_DEFINITIONS>)
  set(objects $<TARGET_OBJECTS:${name}_device>)
  foreach(part ${library} ${library}_device ${library}_X86_64 ${library}_X86_64_v3)
    if(TARGET ${part})
      list(APPEND objects $<TARGET_OBJECTS:${part}>)
    endif()
  endforeach()
  list(TRANSFORM ARGN REPLACE "^.*/([a-z_]+/[a-z_]+)\\.cu$" "\\1" OUTPUT_VARIABLE watched)
  list(JOIN watched "|" watched)
  add_library(${name} SHARED
    "$<FILTER:${objects},EXCLUDE,${library}_device.*/(${watched})[.]cu>")
  set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_options(${name} PUBLIC -fsanitize=address,undefined
                      PRIVATE -Wl,-Bsymbolic)
endfunction()

set(watched assembly/boundary_terms assembly/gather assembly/load_vector
  base/grid_sum base/vector_operations matrix/cells_of_rows matrix/csr_pattern
  matrix/elimination matrix/place_rows
  matrix/slice_lines matrix/slices matrix/sparse_product operators/csr
  operators/csr_mgpu operators/dense operators/ell operators/local_matrices
  operators/local_matrices_float operators/round_values
  operators/sell operators/sell_blocks operators/tile_operator
  preconditioners/ssor preconditioners/ssor_cells solvers/classical_cg
  solvers/single_reduction_cg)
list(TRANSFORM watched PREPEND ${PROJECT_SOURCE_DIR}/source/)
list(TRANSFORM watched APPEND .cu)
tessera_add_races(tessera_races tessera_shim ${watched})
target_link_libraries(tessera_races PRIVATE tessera_version ZLIB::ZLIB
                      PUBLIC OpenMP::OpenMP_CXX Threads::Threads)
if(TESSERA_STUDY)
  set(watched assembly/append_faces matrix/hybrid matrix/lazy_ell operators/coo
    operators/csr_merge operators/csr_padded operators/dense operators/differences
    operators/node_products operators/packed_matrices)
  list(TRANSFORM watched PREPEND ${PROJECT_SOURCE_DIR}/source/study/)
  list(TRANSFORM watched APPEND .cu)
  tessera_add_races(tessera_races_study tessera_shim_study ${watched})
  set(watched append matrix_free_local)
  list(TRANSFORM watched PREPEND ${PROJECT_SOURCE_DIR}/source/study/kernels/)
  list(TRANSFORM watched APPEND .cu)
  tessera_add_races(tessera_races_study_laplace tessera_shim_study_laplace ${watched})
  target_link_libraries(tessera_races_study_laplace PUBLIC tessera_races)
  target_link_libraries(tessera_races_study PUBLIC tessera_races tessera_races_study_laplace)
  target_sources(tessera_races_study INTERFACE
    $<TARGET_PROPERTY:tessera_shim_study,INTERFACE_SOURCES>)
endif()
set(watched assemble_diagonal assemble_local assemble_rows matrix_free)
list(TRANSFORM watched PREPEND ${PROJECT_SOURCE_DIR}/source/kernels/)
list(TRANSFORM watched APPEND .cu)
tessera_add_races(tessera_races_laplace tessera_shim_laplace ${watched})
target_link_libraries(tessera_races_laplace PUBLIC tessera_races)
