# specpi launch on the real CPU runtime, with libraries of specpi-cc's images, native and emulated.
add_library(tools-launch-images MODULE)
specpi_device_image(tools-launch-images launch_native launch.cl --target=spir64)
add_library(tools-launch-emulated MODULE)
specpi_device_image(tools-launch-emulated launch_emulated launch.cl
  --target=spir64 --spec-const=emulate)
set_target_properties(tools-launch-images tools-launch-emulated PROPERTIES LINKER_LANGUAGE C)

add_executable(tools-number number.c)
specpi_target(tools-number)
target_link_libraries(tools-number PRIVATE specpi_tool_common PkgConfig::CMOCKA)
specpi_test(tools.number COMMAND tools-number LABELS tools)

list(JOIN SPECPI_OPENCL_ENVIRONMENT " " launch_environment)
tools_program(launch launch.c)
target_link_libraries(tools-launch PRIVATE tools_command PkgConfig::JANSSON)
target_compile_definitions(tools-launch PRIVATE
  "TOOL=\"$<TARGET_FILE:specpi-tool>\"" "ENVIRONMENT=\"${launch_environment}\""
  "IMAGES=\"$<TARGET_FILE:tools-launch-images>\""
  "EMULATED=\"$<TARGET_FILE:tools-launch-emulated>\""
  "CACHE=\"${CMAKE_CURRENT_BINARY_DIR}/launch_cache\""
  "OBJECT=\"${CMAKE_CURRENT_BINARY_DIR}/launch_native.o\""
  "PLUGIN=\"$<TARGET_FILE:pi_opencl>\"")
add_dependencies(tools-launch specpi-tool pi_opencl tools-launch-images tools-launch-emulated)
# Intel's runtime was not built for ThreadSanitizer.
if(NOT SPECPI_SANITIZE MATCHES "thread")
  specpi_test(tools.launch COMMAND tools-launch
    ENVIRONMENT "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/support/lsan.supp:print_suppressions=0"
    LABELS tools TIMEOUT 300)
endif()

# docs/launch.md line by line, with the compiler that builds this.
if(NOT SPECPI_SANITIZE)
  specpi_test(tools.launch.docs
    COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/follow.sh" "${PROJECT_SOURCE_DIR}/docs/launch.md" 3
    ENVIRONMENT "PATH=${CMAKE_RUNTIME_OUTPUT_DIRECTORY}:$ENV{PATH}"
      "CPATH=${PROJECT_SOURCE_DIR}/include" "LIBRARY_PATH=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}"
      "LD_LIBRARY_PATH=${CMAKE_LIBRARY_OUTPUT_DIRECTORY}:${SPECPI_RT_DIR}"
      "OCL_ICD_FILENAMES=${SPECPI_RT_DIR}/libintelocl.so"
    LABELS tools)

  # docs/guide.md, too: it takes a tree, whose build folder may have another name here.
  set(tree "${CMAKE_CURRENT_BINARY_DIR}/tree")
  file(MAKE_DIRECTORY "${tree}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/include" "${tree}/include" SYMBOLIC)
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/test" "${tree}/test" SYMBOLIC)
  file(CREATE_LINK "${PROJECT_BINARY_DIR}" "${tree}/build" SYMBOLIC)
  file(CREATE_LINK "${SPECPI_DEPS}" "${tree}/.deps" SYMBOLIC)
  if(TARGET specpi-codegen)
    specpi_test(tools.guide
      COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/follow.sh" "${PROJECT_SOURCE_DIR}/docs/guide.md" 15
      ENVIRONMENT "SPECPI=${tree}" LABELS tools sycl level_zero cuda TIMEOUT 400)
  endif()
endif()

# The program on the CUDA plugin.
if(TARGET fake_cuda)
  specpi_test(tools.cuda
    COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/cuda.sh" $<TARGET_FILE:specpi-tool>
            $<TARGET_FILE:specpi-cc> "${CMAKE_CURRENT_SOURCE_DIR}/launch.cl"
            "$<TARGET_FILE_DIR:fake_cuda>" "$<$<TARGET_EXISTS:specpi-codegen>:$<TARGET_FILE:specpi-codegen>>"
    LABELS tools cuda)
endif()
