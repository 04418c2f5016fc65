import { doubleQuoted, quoted } from "./words.ts";

type Call = Readonly<Record<string, unknown>>;

function bash(write: (text: string) => string): (text: string) => Call {
  return (text) => ({ event: "tool_call", tool: "bash", args: { command: write(text) } });
}

function tool(name: string, args: (text: string) => Call): (text: string) => Call {
  return (text) => ({ event: "tool_call", tool: name, args: args(text) });
}

/** Places where a command is only text. Source: threats page, class 23; and quoted here-documents, class 5. */
export const mentions: Readonly<Record<string, (text: string) => Call>> = {
  "commit message": bash((text) => `git commit -m ${quoted(`never run ${text}`)}`),
  "commit message alone": bash((text) => `git commit -am ${quoted(text)}`),
  "commit message, long option": bash((text) => `git commit --message=${doubleQuoted(`fix: ${text}`)}`),
  "commit message from a here-document": bash(
    (text) => `git commit -m "$(cat <<'EOF'\nfix: no more ${text}\n\nIt was wrong.\nEOF\n)"`,
  ),
  "commit message on the input": bash((text) => `git commit -F - <<'EOF'\n${text}\nEOF`),
  "tag message": bash((text) => `git tag -a v1 -m ${quoted(text)}`),
  "log search": bash((text) => `git log --oneline --grep=${quoted(text)}`),
  "log pickaxe": bash((text) => `git log -S ${quoted(text)}`),
  "grep pattern": bash((text) => `grep -rn ${quoted(text)} docs`),
  "grep pattern after -e": bash((text) => `grep -F -e ${quoted(text)} README.md`),
  "rg pattern": bash((text) => `rg --fixed-strings ${quoted(text)} src`),
  "git grep pattern": bash((text) => `git grep -n ${quoted(text)}`),
  echo: bash((text) => `echo ${quoted(text)}`),
  "echo in double quotes": bash((text) => `echo ${doubleQuoted(`do not run ${text}`)}`),
  "echo into a file": bash((text) => `echo ${quoted(text)} >> notes.md`),
  "echo into tee": bash((text) => `echo ${quoted(text)} | tee -a notes.md`),
  "echo into grep": bash((text) => `echo ${quoted(text)} | grep -c rm`),
  "echo into base64": bash((text) => `echo ${quoted(text)} | base64`),
  "printf argument": bash((text) => `printf '%s\\n' ${quoted(text)}`),
  "printf argument into a file": bash((text) => `printf '%s\\n' title ${quoted(text)} > docs/notes.md`),
  "here-document into a file": bash((text) => `cat > docs/notes.md <<'EOF'\n${text}\nEOF`),
  "here-document with dash into a file": bash((text) => `cat <<-"EOF" >> docs/notes.md\n\t${text}\n\tEOF\nls`),
  "here-document into tee": bash((text) => `tee docs/notes.md <<\\EOF\n# Never\n${text}\nEOF`),
  "here-string": bash((text) => `wc -c <<< ${quoted(text)}`),
  "comment after": bash((text) => `ls # ${text}`),
  "comment before": bash((text) => `# ${text}\nls`),
  "comment between": bash((text) => `cd src\n  # then ${text}\nls`),
  "no-op argument": bash((text) => `: ${quoted(text)}`),
  "unused variable": bash((text) => `note=${quoted(text)}; ls`),
  "printed variable": bash((text) => `note=${quoted(text)}; echo "$note"`),
  comparison: bash((text) => `test "$1" = ${quoted(text)} || ls`),
  "comparison in brackets": bash((text) => `[[ $1 == ${quoted(text)} ]] && ls`),
  "mention in bash -c": bash((text) => `bash -c ${quoted(`echo ${quoted(text)}`)}`),
  "mention in a substitution": bash((text) => `echo "$(echo ${quoted(text)})"`),
  "test name": bash((text) => `npm test -- -t ${quoted(text)}`),
  "jq argument": bash((text) => `jq -n --arg c ${quoted(text)} '$c'`),
  "pull request body": bash((text) => `gh pr create --title Safety --body ${quoted(`Blocks ${text} now`)}`),
  "sed replacement": bash((text) => `sed ${quoted(`s|x|${text.replace(/[|\\&]/g, "\\$&")}|`)} README.md`),
  "tool write, content": tool("write", (text) => ({ path: "docs/notes.md", content: text })),
  "tool edit, new text": tool("edit", (text) => ({ path: "docs/notes.md", old_text: "x", new_text: text })),
  "tool grep, pattern": tool("grep", (text) => ({ pattern: text, path: "docs" })),
  "tool search, query": tool("search", (text) => ({ query: text })),
  "tool bash, description": tool("bash", (text) => ({ command: "ls", description: text })),
};
