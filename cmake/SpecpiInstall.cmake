# What cmake --install puts where, and how other projects find it.
include(CMakePackageConfigHelpers)

# The headers of PI alone: for those who write plugins and runtimes and link nothing of ours.
add_library(specpi_pi INTERFACE)
target_include_directories(specpi_pi INTERFACE
  "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
  "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
set_target_properties(specpi_pi PROPERTIES EXPORT_NAME pi)

install(DIRECTORY include/pi include/specpi include/sycl include/CL DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# The plugins lie beside libspecpi, which looks for them there.
set(libraries specpi specpi_compiler pi_opencl pi_level_zero pi_cuda)
install(TARGETS specpi specpi_compiler specpi_pi EXPORT specpi
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS pi_opencl pi_level_zero pi_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
set(programs specpi-tool specpi-cc)
install(TARGETS specpi-tool RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
# specpi_add_sycl_executable of SpecpiSycl.cmake runs it.
install(TARGETS specpi-cc EXPORT specpi RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
if(TARGET pi-conformance)
  list(APPEND programs pi-conformance)
  install(TARGETS pi-conformance RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()

# What is installed has its RUNPATH from the build on. CMake would edit it otherwise, and make room for
# that with empty entries, which the loader takes for the working folder. Programs name the library
# folder of an installation and that of a build; LLVM's is there where it is none of the system's.
set(library_folders "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN/../lib")
list(REMOVE_DUPLICATES library_folders)
set_target_properties(${programs} PROPERTIES INSTALL_RPATH "${library_folders}")
set_target_properties(${libraries} ${programs} PROPERTIES
  BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/specpi")
install(EXPORT specpi NAMESPACE specpi:: DESTINATION "${package}" FILE specpiTargets.cmake)
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/specpiConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/specpiConfig.cmake" INSTALL_DESTINATION "${package}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/specpiConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/specpiConfig.cmake"
  "${PROJECT_BINARY_DIR}/specpiConfigVersion.cmake" "${CMAKE_CURRENT_LIST_DIR}/SpecpiSycl.cmake"
  DESTINATION "${package}")

# The library folder may have one part, lib, or two, lib/x86_64-linux-gnu.
file(RELATIVE_PATH prefix_from_pkgconfig
  "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" prefix_from_pkgconfig "${prefix_from_pkgconfig}")
foreach(module specpi specpi-pi specpi-compiler)
  configure_file("${CMAKE_CURRENT_LIST_DIR}/${module}.pc.in" "${PROJECT_BINARY_DIR}/${module}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${module}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endforeach()
