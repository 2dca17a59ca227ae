#!/bin/bash
# Starts a server, waits until it has printed a line, runs a command in whose arguments SERVER
# stands for the number of its process, and ends the server.
#
# usage: with_server.sh SERVER-COMMAND COMMAND...
server=$1
shift
exec 3< <(eval "exec $server" 2> /dev/null)
number=$!
read -r -u 3
"${@//SERVER/$number}"
status=$?
kill "$number"
exit $status
