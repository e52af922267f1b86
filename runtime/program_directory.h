/* The directory in which libspecpi keeps programs. */
#ifndef SPECPI_PROGRAM_DIRECTORY_H
#define SPECPI_PROGRAM_DIRECTORY_H

#include "../plugins/base/cache_directory.h"

extern cache_directory program_directory;

#endif
