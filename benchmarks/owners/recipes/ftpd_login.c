/* SPDX-License-Identifier: MIT */
/* ftpd_login.c - linked into an FTP server that is measured: there is a user "me" with the password
 * "secret", at home in the directory that the server was started in, and the server may become
 * that user.
 */
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <unistd.h>

struct passwd *getpwnam(const char *name) {
  static char home[PATH_MAX];
  static char password[] = "abNANd1rDfiNc";
  static struct passwd me;
  if (strcmp(name, "me") != 0 || (!home[0] && !getcwd(home, sizeof home)))
    return NULL;
  me.pw_name = "me";
  me.pw_passwd = password;
  me.pw_uid = getuid();
  me.pw_gid = getgid();
  me.pw_dir = home;
  me.pw_shell = "/bin/sh";
  return &me;
}

int seteuid(uid_t user) {
  (void)user;
  return 0;
}
