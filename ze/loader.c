/*
 * libze_loader.so.1, a library without functions. It depends on the adapter, so a program that
 * opens it finds the adapter's entries of Level Zero (find.c).
 */
extern const char specpi_level_zero[];
const char specpi_level_zero[] = "the objects of specpi";
