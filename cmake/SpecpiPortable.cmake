# SPECPI_PORTABLE: installed files contain no path of the build, and need only glibc, zlib and
# libstdc++ of the libraries that they were built with. Wheels are made from such a build
# (pyproject.toml).

# Wheels cannot have links, so a library is one file there, with the name of its ABI.
set(SPECPI_LIBRARY_VERSION ${PROJECT_VERSION})
if(SPECPI_PORTABLE)
  set(SPECPI_LIBRARY_VERSION ${PROJECT_VERSION_MAJOR})
endif()

if(SPECPI_PORTABLE)
  add_compile_options("-ffile-prefix-map=${PROJECT_BINARY_DIR}=build" "-ffile-prefix-map=${PROJECT_SOURCE_DIR}=."
    -ffunction-sections -fdata-sections)
  add_link_options("LINKER:--gc-sections" "LINKER:--strip-all")
endif()

# Installs a shared library of the build's system beside ours, because not every system has it.
function(specpi_bundle_library file)
  if(SPECPI_PORTABLE)
    file(REAL_PATH "${file}" real)
    cmake_path(GET real FILENAME name)
    string(REGEX REPLACE "([.]so[.][0-9]+).*" "\\1" name "${name}")
    install(FILES "${real}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME "${name}"
      PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  endif()
endfunction()

# specpi_install_library(TARGET EXPORT..): installs a shared library with its links or, if portable,
# as one file with a linker script.
function(specpi_install_library target)
  if(NOT SPECPI_PORTABLE)
    install(TARGETS ${target} ${ARGN} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
    return()
  endif()
  get_target_property(name ${target} OUTPUT_NAME)
  if(NOT name)
    set(name ${target})
  endif()
  install(TARGETS ${target} ${ARGN} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" NAMELINK_SKIP)
  file(WRITE "${PROJECT_BINARY_DIR}/names/lib${name}.so" "INPUT(lib${name}.so.${PROJECT_VERSION_MAJOR})\n")
  install(FILES "${PROJECT_BINARY_DIR}/names/lib${name}.so" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endfunction()
