/* Constants with chosen ids: id_N gets the id N, and a structure's leaves the ids N, N + 1, ...
 * (trailer.py). */
#include <specpi/device.h>

#define CONSTANT(type, id, ...) SPECPI_CONSTANT(type, id_##id, __VA_ARGS__)
#define GET(id) specpi_get(id_##id)
