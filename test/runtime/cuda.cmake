# The same programs over the CUDA plugin and the driver of its tests, which runs their PTX.
foreach(name queue event buffer usm kernel launch launch-threads bundle compiled cache cache-folder)
  add_dependencies(runtime-${name} pi_cuda fake_cuda)
  specpi_test(runtime.cuda.${name} COMMAND runtime-${name}
    ENVIRONMENT "LD_LIBRARY_PATH=${PROJECT_BINARY_DIR}/fakes/cuda"
      "ONEAPI_DEVICE_SELECTOR=cuda:*" "SPECPI_PLUGIN_PATH=${PROJECT_BINARY_DIR}/lib"
    LABELS runtime cuda TIMEOUT 300)
endforeach()
