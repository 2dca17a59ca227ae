/* lua_in_region.c - runs Lua scripts with each Lua state in a region of its own.
 *
 * Lua itself is unmodified; only its allocator is ours.  Everything it allocates lies in one
 * region, so its own pointers are internal, and what the stack, globals and jump buffers hold is
 * counted.  When the state is closed the region must go: a count that is one too high anywhere in
 * Lua refuses the delete, and ACRE_VERIFY=1 finds the ones that are too low.
 */
#include <stdio.h>
#include <string.h>

#include <acre/acre.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

#define BLOCK_ALIGN 16 /* as malloc gives it */

static void *allocate(void *context, void *old, size_t old_size, size_t new_size) {
  region r = (region)context;
  if (new_size == 0)
    return NULL; /* freed with the region */
  if (old && new_size <= old_size)
    return old;
  void *block = acre_region_alloc(r, new_size, BLOCK_ALIGN, NULL);
  if (old)
    memcpy(block, old, old_size);
  return block;
}

/* Calls are as deep here as in lua.c, so that scripts which exhaust the stack do so at the same
 * depth. */
static int run_script(lua_State *state) {
  const char *script = lua_touserdata(state, 1);
  luaL_openlibs(state);
  if (luaL_dofile(state, script) != LUA_OK)
    fprintf(stderr, "%s\n", lua_tostring(state, -1) ? lua_tostring(state, -1) : "(not a string)");
  return 0;
}

static void run_in_region(char *script) deletes {
  region r = newregion();
  acre_region_set_name(r, script);
  lua_State *state = lua_newstate(allocate, r);
  lua_pushcfunction(state, run_script);
  lua_pushlightuserdata(state, script);
  if (lua_pcall(state, 1, 0, 0) != LUA_OK)
    fprintf(stderr, "%s: not run\n", script);
  lua_close(state);
  deleteregion(r);
}

int main(int argc, char **argv) deletes {
  for (int i = 1; i < argc; i++)
    run_in_region(argv[i]);
  acre_stats stats;
  acre_get_stats(&stats);
  fprintf(stderr, "%zu regions made, %zu left\n", stats.regions_created, stats.regions_live);
  return stats.regions_live != 0;
}
