# These targets make what goes to a GPU host that has no deal.II:
# =  bundle           bundle/tessera-VERSION.tar.xz with all libraries
#   bundle_programs  the same with fresh programs, without other libraries
# tessera_bundle(TARGET) makes a target a member.
install(DIRECTORY prm DESTINATION . COMPONENT parameters EXCLUDE_FROM_ALL)
# scripts/paper measures there what papers say.
install(DIRECTORY doc/papers DESTINATION doc COMPONENT parameters EXCLUDE_FROM_ALL
        USE_SOURCE_PERMISSIONS PATTERN figures EXCLUDE PATTERN records EXCLUDE PATTERN __pycache__ EXCLUDE)
install(DIRECTORY scripts/plotting DESTINATION scripts COMPONENT parameters EXCLUDE_FROM_ALL
        PATTERN __pycache__ EXCLUDE)
install(PROGRAMS scripts/paper scripts/plot scripts/profile DESTINATION scripts
        COMPONENT parameters EXCLUDE_FROM_ALL)
install(PROGRAMS scripts/check-on-gpu scripts/on-device DESTINATION ${CMAKE_INSTALL_BINDIR}
        COMPONENT parameters EXCLUDE_FROM_ALL)

# Adds a program, or a library that it loads, which a plain install leaves out.
function(tessera_bundle program)
  install(TARGETS ${program} COMPONENT bundle EXCLUDE_FROM_ALL)
  set_property(GLOBAL APPEND PROPERTY tessera_bundle ${program})
endfunction()

# Call this when all members are known.
function(tessera_add_bundle_targets)
  get_property(members GLOBAL PROPERTY tessera_bundle)
  if(NOT members)
    return()
  endif()
  set(stage ${PROJECT_BINARY_DIR}/bundle/stage)
  set(fill_stage COMMAND ${CMAKE_COMMAND} -E rm -rf ${stage})
  foreach(component runtime programs parameters bundle)
    list(APPEND fill_stage COMMAND ${CMAKE_COMMAND} --install
         ${PROJECT_BINARY_DIR} --strip --prefix ${stage} --component ${component})
  endforeach()
  set(archive ${PROJECT_BINARY_DIR}/bundle/tessera-${PROJECT_VERSION})
  add_custom_target(bundle ${fill_stage}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/bundle ${stage} ${archive}.tar.xz
    VERBATIM USES_TERMINAL)
  add_custom_target(bundle_programs ${fill_stage}
    COMMAND ${PROJECT_SOURCE_DIR}/scripts/bundle ${stage}
            ${archive}-programs.tar.xz --no-libraries
    VERBATIM USES_TERMINAL)
  add_dependencies(bundle ${members})
  add_dependencies(bundle_programs ${members})
endfunction()
