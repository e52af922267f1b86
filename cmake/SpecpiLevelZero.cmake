# Level Zero's headers, which the Level Zero plugin and the driver of its tests are compiled with, and
# the loader's libraries, which tests run. Nothing of Level Zero is linked to the plugin.

find_path(SPECPI_LEVEL_ZERO_INCLUDE level_zero/ze_api.h
  DOC "Where Level Zero's level_zero/ze_api.h is" REQUIRED)
