# Compiles kernels in OpenCL C with specpi-cc, and links them to a program in C or C++
# (docs/launch.md). SpecpiSycl.cmake and SpecpiDeviceImage.cmake use the functions below, too.

# specpi_target_kernels(TARGET SOURCES FILE... [FLAGS FLAG...])
#
# Compiles each FILE (.cl, .clcpp, .ll, .bc or .spv) to an object with its device images, and links
# the objects to TARGET: a program, a shared or a static library. The images register themselves when
# the program starts. A program that links a static library gets all its kernels. FLAGS are passed
# to specpi-cc, e.g. -O3, -Wall or --target=spir64,nvptx64, and so are the include directories and
# definitions of TARGET. A source is compiled again when one of its headers changes. To give sources
# different FLAGS, call the function several times.
function(specpi_target_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;FLAGS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "specpi_target_kernels(${target} SOURCES FILE... [FLAGS FLAG...]): "
      "\"${arg_UNPARSED_ARGUMENTS}\" is not understood, or there are no SOURCES")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE|STATIC)_LIBRARY)$")
    message(FATAL_ERROR "specpi_target_kernels(${target}): an ${type} cannot have objects of its own; "
      "name the program or the library that links it")
  endif()
  specpi_describe_target(${target})
  foreach(source IN LISTS arg_SOURCES)
    if(NOT source MATCHES "\\.(cl|clcpp|ll|bc|spv)$")
      message(FATAL_ERROR "specpi_target_kernels(${target}): ${source} is no kernel, whose names end in "
        ".cl, .clcpp, .ll, .bc or .spv; C++ goes to specpi_target_sycl_sources")
    endif()
    specpi_describe_source(${target} "${source}" kernels)
    set(symbol)
    # The linker uses a member of an archive only if the program refers to one of its symbols.
    if(type STREQUAL "STATIC_LIBRARY")
      set(symbol "--symbol=specpi_images_${specpi_unit}")
      target_link_options(${target} INTERFACE "LINKER:--undefined=specpi_images_${specpi_unit}")
    endif()
    specpi_add_image(${target} "${specpi_made}.o" "${specpi_source}" "Compiling ${specpi_place} for devices"
      "${specpi_includes}" "${specpi_definitions}" ${symbol} ${arg_FLAGS})
  endforeach()
endfunction()

# specpi_add_image(TARGET OBJECT SOURCE COMMENT [FLAG...])
#
# Makes OBJECT from SOURCE, a full path, with specpi-cc, and links it to TARGET. The headers that
# the source includes are dependencies.
function(specpi_add_image target object source comment)
  specpi_find_compiler()
  add_custom_command(OUTPUT "${object}"
    COMMAND ${specpi_cc} -MD -MF "${object}.d" ${ARGN} -o "${object}" "${source}"
    DEPENDS ${specpi_cc} "${source}" DEPFILE "${object}.d" VERBATIM COMMAND_EXPAND_LISTS
    COMMENT "${comment}")
  set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE "${object}")
endfunction()

# Sets specpi_cc to the target of this build's or of an installed specpi-cc.
macro(specpi_find_compiler)
  if(TARGET specpi-cc)
    set(specpi_cc specpi-cc)
  else()
    set(specpi_cc specpi::specpi-cc)
  endif()
endmacro()

# specpi_describe_target(TARGET)
#
# Sets specpi_cc, and specpi_includes and specpi_definitions, which a custom command expands to
# options of specpi-cc.
macro(specpi_describe_target target)
  specpi_find_compiler()
  # This is a macro, because a function's ARGN would split a list with a literal semicolon.
  # /usr/include is left out, because as an option it would precede the C++ library's directories.
  set(specpi_includes "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^/usr/include$>")
  set(specpi_includes "$<$<BOOL:${specpi_includes}>:-I$<JOIN:${specpi_includes},$<SEMICOLON>-I>>")
  set(specpi_definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(specpi_definitions "$<$<BOOL:${specpi_definitions}>:-D$<JOIN:${specpi_definitions},$<SEMICOLON>-D>>")
endmacro()

# specpi_describe_source(TARGET FILE KIND)
#
# Sets specpi_source to the full path, specpi_place to the path within the project, specpi_unit to a
# unique name of the source, and specpi_made to a path without extension in the build's directory
# TARGET.KIND, which it makes.
function(specpi_describe_source target source kind)
  cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
  # The name of the unit consists of the target's name and the source's path in the project, so it
  # is the same in every build directory.
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE place)
  string(MD5 unit "${target} ${place}")
  string(SUBSTRING "${unit}" 0 16 unit)
  cmake_path(GET source STEM LAST_ONLY stem)
  set(directory "${CMAKE_CURRENT_BINARY_DIR}/${target}.${kind}")
  file(MAKE_DIRECTORY "${directory}")
  # specpi-cc accepts at most 64 characters. The digest keeps the names of different sources apart.
  string(MAKE_C_IDENTIFIER "${target}_${stem}" name)
  string(SUBSTRING "${name}" 0 47 name)
  set(specpi_source "${source}" PARENT_SCOPE)
  set(specpi_place "${place}" PARENT_SCOPE)
  set(specpi_unit "${name}_${unit}" PARENT_SCOPE)
  set(specpi_made "${directory}/${stem}-${unit}" PARENT_SCOPE)
endfunction()
