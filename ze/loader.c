/*
 * libze_loader.so.1: a name and nothing else. Whoever opens it gets what it needs, the adapter with
 * Level Zero's entries (find.c).
 */
extern const char specpi_level_zero[];
const char specpi_level_zero[] = "the objects of specpi";
