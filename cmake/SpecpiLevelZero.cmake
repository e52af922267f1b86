# Finds Level Zero's headers, which the Level Zero plugin and its fake driver need, and the loader's
# libraries, which tests use. No library of Level Zero is linked to the plugin.

find_path(SPECPI_LEVEL_ZERO_INCLUDE level_zero/ze_api.h
  DOC "Where Level Zero's level_zero/ze_api.h is" REQUIRED)
