# tessera_setup_dealii(TARGET) sets up a target of this project that uses
# deal.II. It uses the headers that tessera_fem precompiles once, which are
# four fifths of the compile time of such a source.
function(tessera_setup_dealii target)
  deal_ii_setup_target(${target})
  if(target STREQUAL "tessera_fem")
    list(TRANSFORM tessera_fem_headers REPLACE "(.+)" "<deal.II/\\1.h>"
         OUTPUT_VARIABLE headers)
    target_precompile_headers(${target} PRIVATE ${headers})
  else()
    target_precompile_headers(${target} REUSE_FROM tessera_fem)
  endif()
endfunction()

set(tessera_fem_headers
    base/function base/mpi base/parameter_handler base/quadrature_lib
    base/symmetric_tensor base/utilities dofs/dof_handler dofs/dof_tools
    fe/fe_q fe/fe_simplex_p fe/fe_values fe/mapping_fe fe/mapping_q
    grid/grid_generator grid/grid_tools grid/tria lac/affine_constraints
    lac/sparse_matrix lac/vector)

# libdeflate compresses .vtu files.
if(deal.II_FOUND)
  find_path(TESSERA_DEFLATE_INCLUDE libdeflate.h REQUIRED)
  find_library(TESSERA_DEFLATE_LIBRARY deflate REQUIRED)
  mark_as_advanced(TESSERA_DEFLATE_INCLUDE TESSERA_DEFLATE_LIBRARY)
endif()

# gmsh meshes bodies (.geo, .step, .stl). Debian's deal.II depends on it.
set(TESSERA_WITH_GMSH OFF)
if(deal.II_FOUND)
  find_path(TESSERA_GMSH_INCLUDE gmsh.h)
  find_library(TESSERA_GMSH_LIBRARY gmsh)
  mark_as_advanced(TESSERA_GMSH_INCLUDE TESSERA_GMSH_LIBRARY)
  if(TESSERA_GMSH_INCLUDE AND TESSERA_GMSH_LIBRARY)
    set(TESSERA_WITH_GMSH ON)
  else()
    message(STATUS "gmsh.h or libgmsh not found (Debian: libgmsh-dev): the "
                   "applications will mesh no .geo, .step and .stl files")
  endif()
endif()
