/* SPDX-License-Identifier: MIT */
/* loaded.c - libraries stay loaded while the runtime may refer to them. */
#define _GNU_SOURCE
#include <acre/abi.h>

#include <dlfcn.h>
#include <link.h>

#include "platform/os.h"

/* A static program has no libraries, and not these functions. */
#pragma weak dlopen
#pragma weak dladdr1

void acre_rt_stay_loaded(unsigned char *flag) {
  Dl_info info;
  struct link_map *library = NULL;
  if (*flag || !dlopen || !dladdr1)
    return;
  *flag = 1;
  /* The program's own name is empty. */
  if (!dladdr1(flag, &info, (void **)&library, RTLD_DL_LINKMAP) || !library || !*library->l_name)
    return;
  if (!dlopen(library->l_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE))
    acre_os_print(2, "acre: warning: %s cannot be kept loaded: closing it is not safe\n",
                  library->l_name);
}
