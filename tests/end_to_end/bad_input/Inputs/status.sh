#!/bin/sh
# Runs a command with its messages on standard output, and says its exit status: 134 is abort().
ulimit -c 0
"$@" 2>&1
echo "exit status $?"
