/* The folder in which libspecpi keeps programs. */
#ifndef SPECPI_PROGRAM_FOLDER_H
#define SPECPI_PROGRAM_FOLDER_H

#include "../plugins/base/cache_folder.h"

extern cache_folder program_folder;

#endif
