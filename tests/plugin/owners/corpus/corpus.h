/* SPDX-License-Identifier: MIT */
/* corpus.h - what every file of the corpus includes: the C library, owners and a few strangers. */
#ifndef CORPUS_H
#define CORPUS_H

#define _GNU_SOURCE 1
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <acre/own.h>

bool cond(void);
void look(const char *borrowed text);
void sink(char *unique text);
char *unique make(void);
void note(int number);

#endif
