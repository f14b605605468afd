# find_package(tessera) works from an install and from this build folder alike.
# The install has the components runtime, development and programs. A plain
# install leaves out a fourth one, bundle, with what a GPU host needs besides.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
set(tessera_components "")

add_library(tessera::tessera ALIAS tessera)
install(TARGETS tessera EXPORT tesseraTargets COMPONENT runtime)
# tessera::parallel is the part for several processes.
add_library(tessera::parallel ALIAS tessera_parallel)
set_target_properties(tessera_parallel PROPERTIES EXPORT_NAME parallel)
install(TARGETS tessera_parallel EXPORT tesseraTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
# Each form is a target such as tessera::laplace. Others can compile forms of their own with
# what is installed here.
# tessera::study has the operators that papers compare.
if(TESSERA_STUDY)
  add_library(tessera::study ALIAS tessera_study)
  set_target_properties(tessera_study PROPERTIES EXPORT_NAME study)
  install(TARGETS tessera_study EXPORT tesseraTargets COMPONENT runtime)
  install(DIRECTORY include/tessera/study COMPONENT development
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera)
endif()
get_property(forms GLOBAL PROPERTY tessera_forms)
foreach(form ${forms})
  add_library(tessera::${form} ALIAS tessera_${form})
  set_target_properties(tessera_${form} PROPERTIES EXPORT_NAME ${form})
  install(TARGETS tessera_${form} EXPORT tesseraTargets COMPONENT runtime)
endforeach()
install(DIRECTORY source/kernels DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/source
        COMPONENT development)
install(FILES source/operators/tuning.h COMPONENT development
        DESTINATION ${CMAKE_INSTALL_DATADIR}/tessera/source/operators)
install(FILES cmake/forms.cmake DESTINATION ${config_folder}
        COMPONENT development)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${config_folder}
        COMPONENT development)
export(EXPORT tesseraTargets NAMESPACE tessera::)
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development PATTERN fem EXCLUDE PATTERN study EXCLUDE)

if(deal.II_FOUND)
  list(APPEND tessera_components fem)
  add_library(tessera::fem ALIAS tessera_fem)
  set_target_properties(tessera_fem PROPERTIES EXPORT_NAME fem)
  install(TARGETS tessera_fem EXPORT tesseraFemTargets
          COMPONENT development)
  install(EXPORT tesseraFemTargets NAMESPACE tessera::
          DESTINATION ${config_folder} COMPONENT development)
  export(EXPORT tesseraFemTargets NAMESPACE tessera::)
  install(DIRECTORY include/tessera/fem COMPONENT development
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera)
endif()

file(RELATIVE_PATH kernels_from_config /${config_folder}
     /${CMAKE_INSTALL_DATADIR}/tessera/source/kernels)
configure_file(cmake/forms.cmake ${PROJECT_BINARY_DIR}/forms.cmake COPYONLY)
file(WRITE ${PROJECT_BINARY_DIR}/tesseraBuildTree.cmake
     "set(TESSERA_KERNELS ${PROJECT_SOURCE_DIR}/source/kernels)\n")
configure_file(cmake/tesseraConfig.cmake.in
               ${PROJECT_BINARY_DIR}/tesseraConfig.cmake @ONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT development)
