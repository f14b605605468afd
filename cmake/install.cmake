# find_package(tessera) works from an install and from this build folder alike.
# The install has the components runtime, development and programs. A plain
# install leaves out a fourth one, bundle, with what a GPU host needs besides.
include(CMakePackageConfigHelpers)

set(config_folder ${CMAKE_INSTALL_LIBDIR}/cmake/tessera)
set(tessera_components "")

add_library(tessera::tessera ALIAS tessera)
install(TARGETS tessera EXPORT tesseraTargets COMPONENT runtime)
install(EXPORT tesseraTargets NAMESPACE tessera:: DESTINATION ${config_folder}
        COMPONENT development)
export(EXPORT tesseraTargets NAMESPACE tessera::)
install(DIRECTORY include/tessera DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development PATTERN dealii EXCLUDE)

if(deal.II_FOUND)
  list(APPEND tessera_components dealii)
  add_library(tessera::dealii ALIAS tessera_dealii)
  set_target_properties(tessera_dealii PROPERTIES EXPORT_NAME dealii)
  install(TARGETS tessera_dealii EXPORT tesseraDealiiTargets
          COMPONENT development)
  install(EXPORT tesseraDealiiTargets NAMESPACE tessera::
          DESTINATION ${config_folder} COMPONENT development)
  export(EXPORT tesseraDealiiTargets NAMESPACE tessera::)
  install(DIRECTORY include/tessera/dealii COMPONENT development
          DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tessera)
endif()

configure_file(cmake/tesseraConfig.cmake.in
               ${PROJECT_BINARY_DIR}/tesseraConfig.cmake @ONLY)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tesseraConfig.cmake
              ${PROJECT_BINARY_DIR}/tesseraConfigVersion.cmake
        DESTINATION ${config_folder} COMPONENT development)
