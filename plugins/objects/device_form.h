/* The forms of the answers of piDeviceGetInfo, from pi_enums.def. */
#ifndef OBJECTS_DEVICE_FORM_H
#define OBJECTS_DEVICE_FORM_H

#include "../base/info.h"
#include "device_info.h"

typedef enum device_form {
  FORM_UINT32,
  FORM_UINT64,
  FORM_BITS64,
  FORM_BOOL,
  FORM_BOOL8,
  FORM_FLOAT,
  FORM_FORMAT,
  FORM_SIZE,
  FORM_SIZES,
  FORM_SIZES2,
  FORM_SIZES3,
  FORM_PROPERTIES,
  FORM_TEXT,
  FORM_BYTES16,
  FORM_HANDLE,
  FORM_HANDLES,
  FORM_MATRICES,
  FORM_POINTERS,
} device_form;

/* Finds the form of the answer to a query; returns false if PI has no such query of a device. */
bool device_form_of(pi_device_info query, device_form *ret);

/* Answers with a value in a form; ignores value->reason. */
pi_result device_give(const device_value *value, device_form form, const info_answer *answer);

#endif
