#!/bin/bash
# tool.pre, matcher run_command: cancels a recursive rm.
# It looks at text alone; the pack opta-builtins looks at what a command would do.
if ! CMD=$(printf '%s' "$OPTA_TOOL_ARGS" | jq -r '.command // empty' 2>/dev/null); then
  echo "Blocked: the arguments cannot be read (is jq installed?)" >&2
  exit 1
fi
if printf '%s\n' "$CMD" | grep -qE 'rm[[:space:]]+(-[[:alpha:]]*[rR]|--recursive)'; then
  echo "Blocked: destructive rm" >&2
  exit 1
fi
exit 0
