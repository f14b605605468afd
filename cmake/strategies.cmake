# What the study compiles of forms besides: strategies of assembly that papers compare,
# appending to rows, and products by cell matrices that are computed anew.
set(TESSERA_STRATEGY_HOST append_host.cc matrix_free_local_host.cc strategies_host.cc)
set(TESSERA_STRATEGY_KERNELS append.cu matrix_free_local.cu strategies_local.cu
                             strategies_rows.cu)

# tessera_add_strategies(LIBRARY CORE FORM CLASS MAX_DEGREE NUMBERS) adds the kernels of all
# strategies for a form to LIBRARY, which stands on CORE.
function(tessera_add_strategies library core form class max_degree numbers)
  set(folder ${PROJECT_SOURCE_DIR}/source/study/kernels)
  set(target ${library}_${form})
  tessera_compile_form(parts ${form} ${target} ${core} ${class} tessera/forms/${form}.h
    ${max_degree} ${numbers} ${folder} "${TESSERA_STRATEGY_HOST}"
    "${TESSERA_STRATEGY_KERNELS}")
  add_library(${target} OBJECT ${folder}/strategy_kernels.cc)
  get_target_property(options ${core} TESSERA_OPTIONS)
  target_compile_options(${target} PRIVATE ${options})
  tessera_use_form(${target} ${target} ${core})
  foreach(part ${target} ${parts})
    target_sources(${library} PRIVATE $<TARGET_OBJECTS:${part}>)
  endforeach()
  get_target_property(device ${core} TESSERA_DEVICE)
  if(device STREQUAL "cuda")
    set_property(GLOBAL APPEND PROPERTY tessera_devices ${target}_device)
  endif()
endfunction()

function(tessera_add_all_strategies library core)
  tessera_add_strategies(${library} ${core} laplace Laplace 4 double_float)
  tessera_add_strategies(${library} ${core} elasticity Elasticity 2 double)
endfunction()
