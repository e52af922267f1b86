/* Facts that the Linux kernel reports about a PCI device. */
#ifndef CUDA_PCI_H
#define CUDA_PCI_H

#include <pi/pi.h>

#include <stdbool.h>

/* Linux's directory, with a directory for each device. */
#define PCI_DEVICES "/sys/bus/pci/devices"

/*
 * Reads the PCI id of the device at an address as CUDA writes it, "0000:1B:00.0", from a directory
 * like PCI_DEVICES. False, with *ret untouched, where it is missing.
 */
bool pci_read_id(const char *directory, const char *address, pi_uint32 *ret);

#endif
