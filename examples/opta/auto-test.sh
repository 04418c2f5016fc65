#!/bin/bash
# tool.post, matcher edit_file|write_file, in the background: runs the tests after TypeScript was written.
FILE=$(printf '%s' "$OPTA_TOOL_ARGS" | jq -r '.path // empty' 2>/dev/null)
[ -z "$FILE" ] && exit 0
case "${FILE##*.}" in
  ts | tsx) npm test -- --run --reporter=dot 2>&1 | tail -5 ;;
esac
exit 0
