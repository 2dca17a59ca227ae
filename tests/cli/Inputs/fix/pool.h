#pragma once
#include <acre/acre.h>
#define DEFINE_END(type) \
  static void type##_finish(struct type *old) { \
    deleteregion(old->memory); \
  }
