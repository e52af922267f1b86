# The places of installed files, and the packages by which other projects find them.
include(CMakePackageConfigHelpers)

# Only the headers of PI, for plugins and runtimes that link none of our libraries.
add_library(specpi_pi INTERFACE)
target_include_directories(specpi_pi INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
set_target_properties(specpi_pi PROPERTIES EXPORT_NAME pi)

install(DIRECTORY include/pi include/ur include/specpi DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY include/sycl include/CL DESTINATION "${SPECPI_INSTALL_SYCLDIR}")

# Plugins are installed in libspecpi's directory, because libspecpi searches there.
if(SPECPI_ADAPTER_DIR AND TARGET ur_adapter_cuda)
  install(TARGETS ur_adapter_cuda LIBRARY DESTINATION "${SPECPI_ADAPTER_DIR}")
endif()
set(plugins ${SPECPI_PLUGINS})
set(adapters ${plugins})
list(TRANSFORM plugins PREPEND pi_)
list(TRANSFORM adapters PREPEND ur_adapter_)
install(TARGETS specpi_pi EXPORT specpi)
set(libraries)
set(programs)
# The functions of SpecpiKernels.cmake and SpecpiSycl.cmake run specpi-cc.
foreach(target specpi specpi_sycl specpi_compiler ${plugins} ${adapters} specpi-tool specpi-cc pi-conformance)
  if(NOT TARGET ${target})
    continue()
  endif()
  set(export)
  if(target MATCHES "^(specpi|specpi_sycl|specpi_compiler|specpi-cc)$")
    set(export EXPORT specpi)
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    list(APPEND programs ${target})
    install(TARGETS ${target} ${export} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  else()
    list(APPEND libraries ${target})
  endif()
  if(type STREQUAL "MODULE_LIBRARY")
    install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  elseif(type STREQUAL "SHARED_LIBRARY")
    specpi_install_library(${target} ${export})
  endif()
endforeach()

# The targets of make install. These three install themselves.
set(installed ${libraries} ${programs})
foreach(target specpi-codegen specpi-sycl-jit level_zero_loader)
  if(TARGET ${target})
    list(APPEND installed ${target})
  endif()
endforeach()
add_custom_target(installed)
if(installed)
  add_dependencies(installed ${installed})
endif()

# Manual pages are made from the programs' --help. A wheel has no place for them.
if(programs AND NOT SPECPI_PORTABLE AND NOT CMAKE_CROSSCOMPILING)
  set(manuals "${PROJECT_BINARY_DIR}/manuals")
  list(TRANSFORM programs REPLACE "(.+)" "\"$<TARGET_FILE:\\1>\"" OUTPUT_VARIABLE files)
  list(JOIN files " " files)
  install(CODE "execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND
    \"${PROJECT_SOURCE_DIR}/scripts/manuals.sh\" \"${manuals}\" ${PROJECT_VERSION} ${files})")
  install(DIRECTORY "${manuals}/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  foreach(program IN LISTS programs)
    install(FILES "${PROJECT_SOURCE_DIR}/scripts/completion.bash"
      DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
      RENAME $<TARGET_FILE_NAME:${program}>)
  endforeach()
endif()
if(NOT SPECPI_PORTABLE)
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
  install(DIRECTORY docs DESTINATION "${CMAKE_INSTALL_DOCDIR}")
endif()

# The licenses of the libraries that are linked into a portable build or installed with it.
if(SPECPI_PORTABLE)
  foreach(part llvm-15-dev libllvmspirvlib15 libclc-15 spirv-tools libjansson4 libxxhash-dev libb2-dev libzstd-dev)
    if(EXISTS "/usr/share/doc/${part}/copyright")
      install(FILES "/usr/share/doc/${part}/copyright" DESTINATION "${CMAKE_INSTALL_LIBDIR}/licenses"
        RENAME "${part}.copyright")
    endif()
  endforeach()
endif()

# Files have their installed RUNPATH already in the build. Otherwise CMake would edit it, and
# reserve space with empty entries, which the loader takes for the working directory. The RUNPATH of
# programs has the library directories of an installation and of a build, and LLVM's unless the
# system searches it.
set(library_directories "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN/../lib")
list(REMOVE_DUPLICATES library_directories)
set_target_properties(${programs} PROPERTIES
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin" INSTALL_RPATH "${library_directories}")
if(SPECPI_PORTABLE)
  set(link_path OFF)
else()
  set(link_path ON)
endif()
set_target_properties(${libraries} ${programs} PROPERTIES
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ${link_path})

# The directories in a prefix that find_package and pkg-config search; the libraries may be
# elsewhere.
set(SPECPI_INSTALL_CMAKEDIR "${CMAKE_INSTALL_LIBDIR}/cmake/specpi" CACHE STRING "Where find_package finds specpi")
set(SPECPI_INSTALL_PKGCONFIGDIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig" CACHE STRING "Where pkg-config finds specpi")
set(package "${SPECPI_INSTALL_CMAKEDIR}")
install(EXPORT specpi NAMESPACE specpi:: DESTINATION "${package}" FILE specpiTargets.cmake)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/specpiConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/specpiConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/specpiConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/specpiConfig.cmake"
  "${PROJECT_BINARY_DIR}/specpiConfigVersion.cmake" "${CMAKE_CURRENT_LIST_DIR}/SpecpiKernels.cmake"
  "${CMAKE_CURRENT_LIST_DIR}/SpecpiSycl.cmake"
  DESTINATION "${package}")

# The build directory is a package, too. find_package finds it if its bin is in PATH (build/env.sh).
export(EXPORT specpi NAMESPACE specpi:: FILE "${PROJECT_BINARY_DIR}/specpiTargets.cmake")
foreach(file SpecpiKernels SpecpiSycl)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${file}.cmake" "${PROJECT_BINARY_DIR}" COPYONLY)
endforeach()

# Relative, because the library directory may be lib or lib/x86_64-linux-gnu.
file(RELATIVE_PATH prefix_from_pkgconfig
  "/prefix/${SPECPI_INSTALL_PKGCONFIGDIR}" "/prefix")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
foreach(module specpi specpi-pi specpi-compiler)
  string(REPLACE - _ target ${module})
  if(NOT TARGET ${target})
    continue()
  endif()
  # Programs get a RUNPATH if the system's loader does not search the directory.
  set(rpath "")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${module}.pc.in" "${PROJECT_BINARY_DIR}/system/${module}.pc" @ONLY)
  set(rpath " -Wl,-rpath,\${libdir}")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${module}.pc.in" "${PROJECT_BINARY_DIR}/private/${module}.pc" @ONLY)
  install(CODE "
    set(kind private)
    if(\"\${CMAKE_INSTALL_PREFIX}\" MATCHES \"^/usr(/local)?/*$\")
      set(kind system)
    endif()
    file(INSTALL \"${PROJECT_BINARY_DIR}/\${kind}/${module}.pc\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${SPECPI_INSTALL_PKGCONFIGDIR}\")")
endforeach()
