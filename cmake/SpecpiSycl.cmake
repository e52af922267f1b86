# SYCL programs. If specpi-cc finds a runtime of DPC++ (docs/sycl.md), it makes one object of each
# source. Otherwise the program uses include/sycl (docs/include-sycl.md): each source is compiled
# for the host, between its integration header and footer, and for devices.
#
# SPECPI_SYCL_RT: the directory of DPC++'s libraries; empty for include/sycl. If it is not set,
# specpi-cc searches for a runtime, and the result is stored in CMake's cache. The build of specpi
# itself uses none.
#
# SPECPI_SYCL_BUILD: another build directory of the same project, up to date. Device objects of
# specpi-cc, and the libraries that specpi-codegen links, are taken from there if they exist. Such a
# build may differ from this one only in options for the host's code, such as a sanitizer.
include("${CMAKE_CURRENT_LIST_DIR}/SpecpiKernels.cmake")

# specpi_add_sycl_executable(NAME SOURCES FILE... [FLAGS FLAG...] [OPTIONS OPTION...])
#
# Makes an executable of these C++ sources with their device images, which register themselves, and
# links it with the runtime's libsycl or with libspecpi-sycl. FLAGS are passed to specpi-cc; with
# include/sycl they are for devices only: --target=spir64,nvptx64 for PTX in addition to SPIR-V,
# --spec-const=emulate, -O0. OPTIONS are passed to the C++ compilers for host and device, and so are
# the include directories and definitions of the target.
function(specpi_add_sycl_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS;OPTIONS")
  add_executable(${name})
  specpi_target_sycl_sources(${name} SOURCES ${arg_SOURCES} FLAGS ${arg_FLAGS} OPTIONS ${arg_OPTIONS})
endfunction()

# Sets SPECPI_SYCL_RT if it is not set.
function(specpi_find_sycl_rt)
  if(DEFINED SPECPI_SYCL_RT OR TARGET specpi-cc)
    return()
  endif()
  get_target_property(program specpi::specpi-cc LOCATION)
  execute_process(COMMAND "${program}" --print-sycl-rt OUTPUT_VARIABLE directory
    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(SPECPI_SYCL_RT "${directory}" CACHE PATH "Libraries of the SYCL runtime whose compiler is used; empty: include/sycl")
endfunction()

# Compiles sources with that runtime's compiler and the options of the target's other sources.
function(specpi_target_sycl_rt_sources target sources flags options)
  specpi_describe_target(${target})
  separate_arguments(common UNIX_COMMAND "${CMAKE_CXX_FLAGS}")
  set(kinds)
  foreach(kind Debug Release RelWithDebInfo MinSizeRel)
    string(TOUPPER "${kind}" upper)
    separate_arguments(of_kind UNIX_COMMAND "${CMAKE_CXX_FLAGS_${upper}}")
    list(JOIN of_kind "$<SEMICOLON>" of_kind)
    string(APPEND kinds "$<$<CONFIG:${kind}>:${of_kind}>$<SEMICOLON>")
  endforeach()
  set(standard "$<TARGET_PROPERTY:${target},CXX_STANDARD>")
  set(standard "$<$<BOOL:${standard}>:-std=c++${standard}>")
  set(pic "$<$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>:-fPIC>")
  foreach(source IN LISTS sources)
    specpi_describe_source(${target} "${source}" sycl)
    specpi_add_image(${target} "${specpi_made}.o" "${specpi_source}" "Compiling ${specpi_place} for host and devices"
      -c "--sycl-rt=${SPECPI_SYCL_RT}" "--host-compiler=${CMAKE_CXX_COMPILER}" ${flags} -std=c++17 ${common}
      "${kinds}" "${standard}" "${pic}" "${specpi_includes}" "${specpi_definitions}"
      "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>" ${options})
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE "${SPECPI_SYCL_RT}/libsycl.so")
endfunction()

# specpi_target_sycl_sources(TARGET SOURCES FILE... [FLAGS FLAG...] [OPTIONS OPTION...])
#
# Adds such sources to an existing target: a library, or a program with other sources. To give
# sources different FLAGS, call the function several times.
function(specpi_target_sycl_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS;OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "specpi_target_sycl_sources(${target} SOURCES FILE... [FLAGS FLAG...] "
      "[OPTIONS OPTION...]): ${arg_UNPARSED_ARGUMENTS} is not understood, or there are no SOURCES")
  endif()
  specpi_find_sycl_rt()
  if(SPECPI_SYCL_RT)
    specpi_target_sycl_rt_sources(${target} "${arg_SOURCES}" "${arg_FLAGS}" "${arg_OPTIONS}")
    return()
  endif()
  specpi_describe_target(${target})

  # The linker uses a member of an archive only if code refers to it. So in a static library the
  # host's code refers to the images.
  get_target_property(type ${target} TYPE)

  # Makes clang number lambdas as for devices, because lambdas name kernels.
  set(numbering)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    set(numbering -Xclang -fsycl-is-host)
  endif()

  foreach(source IN LISTS arg_SOURCES)
    specpi_describe_source(${target} "${source}" sycl)
    set(source "${specpi_source}")
    set(made "${specpi_made}")
    set(unit "${specpi_unit}")

    # The header is included by its name in quotes, and the host's unit includes all three files so.
    if("${source}${made}" MATCHES "[\"\r\n]")
      message(FATAL_ERROR "specpi_target_sycl_sources(${target}): a quotation mark or a line break is in "
        "the name of the source ${source} or of the build directory ${CMAKE_CURRENT_BINARY_DIR}")
    endif()

    set(parts "${made}")
    set(symbol)
    set(reference)
    if(type STREQUAL "STATIC_LIBRARY")
      set(symbol "--symbol=specpi_images_${unit}")
      set(reference "extern \"C\" const char specpi_images_${unit}[];
[[gnu::used]] static const char *const specpi_images_of_this_unit = specpi_images_${unit};
")
    endif()
    if(SPECPI_SYCL_BUILD)
      cmake_path(RELATIVE_PATH made BASE_DIRECTORY "${PROJECT_BINARY_DIR}" OUTPUT_VARIABLE there)
      cmake_path(ABSOLUTE_PATH there BASE_DIRECTORY "${SPECPI_SYCL_BUILD}")
      if(EXISTS "${there}.o")
        set(parts "${there}")
      endif()
    endif()
    if(parts STREQUAL "${made}")
      set(for_clang)
      foreach(option -MD -MQ "${made}.o" -MF "${made}.o.d" -include "${made}.header.hpp" -std=c++17
                     ${arg_OPTIONS})
        list(APPEND for_clang "--clang-option=${option}")
      endforeach()
      add_custom_command(
        # The dependency file is for the first output. It also lists the integration header as a
        # dependency, so that cannot be an output: the host uses a copy of it.
        OUTPUT "${made}.o" "${made}.footer.hpp" "${made}.host.hpp"
        COMMAND ${specpi_cc} "--host-parts=${source}" -o "${made}" "--unit-id=${unit}" --
                -std=c++17 ${arg_OPTIONS} "${specpi_includes}" "${specpi_definitions}"
        COMMAND "${CMAKE_COMMAND}" -E copy "${made}.header.hpp" "${made}.host.hpp"
        COMMAND ${specpi_cc} ${arg_FLAGS} "--unit-id=${unit}" ${symbol} ${for_clang} "${specpi_includes}" "${specpi_definitions}"
                -o "${made}.o" "${source}"
        DEPENDS ${specpi_cc} "${source}" DEPFILE "${made}.o.d" VERBATIM COMMAND_EXPAND_LISTS
        COMMENT "Compiling ${specpi_place} for devices")
    endif()
    # The host's unit includes the three files, so that each keeps its line numbers.
    file(CONFIGURE OUTPUT "${made}.cpp" CONTENT
"#include \"@parts@.host.hpp\"
#include \"@source@\"
#include \"@parts@.footer.hpp\"
@reference@" @ONLY)
    set_source_files_properties("${parts}.o" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    set_source_files_properties("${made}.cpp" PROPERTIES
      OBJECT_DEPENDS "${parts}.host.hpp;${parts}.footer.hpp"
      COMPILE_OPTIONS "${arg_OPTIONS};${numbering}")
    target_sources(${target} PRIVATE "${made}.cpp" "${parts}.o")
  endforeach()
  target_compile_features(${target} PRIVATE cxx_std_17)
  target_link_libraries(${target} PRIVATE specpi::sycl)
endfunction()
