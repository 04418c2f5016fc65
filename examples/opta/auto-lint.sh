#!/bin/bash
# tool.post, matcher edit_file|write_file|multi_edit: lints the file that was written.
FILE=$(printf '%s' "$OPTA_TOOL_ARGS" | jq -r '.path // empty' 2>/dev/null)
[ -z "$FILE" ] && exit 0
# A name that begins with a dash is no option.
case "$FILE" in -*) FILE="./$FILE" ;; esac
case "${FILE##*.}" in
  ts | tsx | js | jsx) npx eslint --fix "$FILE" 2>/dev/null ;;
  py) ruff check --fix "$FILE" 2>/dev/null ;;
esac
exit 0
