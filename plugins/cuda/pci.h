/* Facts that the kernel tells of a device on the PCI bus. */
#ifndef CUDA_PCI_H
#define CUDA_PCI_H

#include <pi/pi.h>

#include <stdbool.h>

/* Where Linux has a directory for each device. */
#define PCI_DEVICES "/sys/bus/pci/devices"

/*
 * The PCI id of the device at an address as CUDA writes it, "0000:1B:00.0", by what is in a
 * directory like PCI_DEVICES. False, with *ret untouched, where that does not have it.
 */
bool pci_read_id(const char *directory, const char *address, pi_uint32 *ret);

#endif
