#!/bin/sh
# Runs a program with each of its requests for memory failing in turn: each run must succeed or abort with a message.
program=$1
request=1
while [ $request -le 150 ]; do
  message=$(ACRE_FAIL_AT=$request "$program" 2>&1)
  status=$?
  case $status in
  0) ;;
  134) case $message in
    *"acre: fatal: "*) ;;
    *) echo "request $request: aborted without a message: $message" && exit 1 ;;
    esac ;;
  *) echo "request $request: exit $status: $message" && exit 1 ;;
  esac
  request=$((request + 1))
done
