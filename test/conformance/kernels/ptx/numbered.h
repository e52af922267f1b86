/* Constants with numbers: the id of id_N is N, and a structure's leaves follow on (trailer.py). */
#include <specpi/device.h>

#define CONSTANT(type, id, ...) SPECPI_CONSTANT(type, id_##id, __VA_ARGS__)
#define GET(id) specpi_get(id_##id)
