/* SPDX-License-Identifier: MIT */
/* memory_limit.h - how much memory the process may use, by its control group and the machine.
 * Internal to the runtime. */
#ifndef ACRE_RUNTIME_PLATFORM_MEMORY_LIMIT_H
#define ACRE_RUNTIME_PLATFORM_MEMORY_LIMIT_H

#include <stdint.h>

/* The least of the machine's memory and the limits of the process's control group and those above
 * it. */
uint64_t acre_memory_limit(void);
/* The address space that the process may have (RLIMIT_AS), or its data (RLIMIT_DATA) where that is
   less; UINT64_MAX if neither is limited. */
uint64_t acre_address_space_limit(void);
/* The least limit of the control groups that membership (/proc/self/cgroup) names, below mount
   (/sys/fs/cgroup); UINT64_MAX if there is none. */
uint64_t acre_memory_limit_of_groups(const char *membership, const char *mount);

#endif
