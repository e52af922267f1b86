/* Facts that the Linux kernel reports about a PCI device. */
#ifndef CUDA_PCI_H
#define CUDA_PCI_H

#include <pi/pi.h>

#include <stdbool.h>

/* The directory in which Linux has a directory for each PCI device. */
#define PCI_DEVICES "/sys/bus/pci/devices"

/*
 * Reads a device's PCI id from directory, which is like PCI_DEVICES. address is in CUDA's form,
 * "0000:1B:00.0". Returns false, with *ret untouched, if the id cannot be read.
 */
bool pci_read_id(const char *directory, const char *address, pi_uint32 *ret);

#endif
