# Runs a command, which must exit with the status given first and print nothing to standard output.
expected=$1
shift
output=$("$@")
status=$?
[ "$status" -eq "$expected" ] || echo "exit status $status, not $expected" >&2
[ -z "$output" ] || echo "output: $output" >&2
[ "$status" -eq "$expected" ] && [ -z "$output" ]
