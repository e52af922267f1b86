# specpi launch on the real CPU runtime, with libraries from specpi-cc that have native and emulated constants.
add_library(tools-launch-images MODULE)
specpi_device_image(tools-launch-images launch_native launch.cl --target=spir64)
add_library(tools-launch-emulated MODULE)
specpi_device_image(tools-launch-emulated launch_emulated launch.cl
  --target=spir64 --spec-const=emulate)
set_target_properties(tools-launch-images tools-launch-emulated PROPERTIES LINKER_LANGUAGE C)

add_executable(tools-number number.c)
specpi_target(tools-number)
target_link_libraries(tools-number PRIVATE specpi_tool_common specpi_tests)
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
  specpi_test(tools.terminal.launch
    COMMAND "${SPECPI_PYTHON}" "${CMAKE_CURRENT_SOURCE_DIR}/terminal.py" $<TARGET_FILE:specpi-tool>
            $<TARGET_FILE:tools-launch-images> scale
    ENVIRONMENT ${SPECPI_OPENCL_ENVIRONMENT}
      "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/test/support/lsan.supp:print_suppressions=0" LABELS tools)
endif()

# The program on the CUDA plugin.
if(TARGET fake_cuda)
  specpi_test(tools.cuda
    COMMAND sh "${CMAKE_CURRENT_SOURCE_DIR}/cuda.sh" $<TARGET_FILE:specpi-tool>
            $<TARGET_FILE:specpi-cc> "${CMAKE_CURRENT_SOURCE_DIR}/launch.cl"
            "$<TARGET_FILE_DIR:fake_cuda>" "$<$<TARGET_EXISTS:specpi-codegen>:$<TARGET_FILE:specpi-codegen>>"
    LABELS tools cuda)
endif()
