#!/bin/sh
# Runs a program with each of its requests for memory failing in turn: each run must succeed or
# abort with a message.
program=$1
thing=' for [a-z ]+'
bytes=': [0-9]+ bytes in the region created at .*:[0-9]+'
request=1
while [ $request -le 150 ]; do
  message=$(ACRE_FAIL_AT=$request "$program" 2>&1)
  status=$?
  case $status in
  0) ;;
  134) printf '%s\n' "$message" | grep -Eqx "acre: fatal: out of memory($thing|$bytes)" || {
    echo "request $request: aborted without a message, or with another one: $message" && exit 1
  } ;;
  *) echo "request $request: exit $status: $message" && exit 1 ;;
  esac
  request=$((request + 1))
done
