import { type PlainSentence, patch, tool } from "./sentence.ts";

/** Sentences about what is read, and about places that are neither read nor written. */
export const reads: readonly PlainSentence[] = [
  {
    sentence: "nobody reads `.env`",
    policy: `
- id: no-env
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.path: { glob: "**/.env" }, r.metadata_only: false }
  action: block
  reason: "{r.path} is not read"
`,
    stops: [
      "cat .env",
      "head -5 < config/.env",
      'F=.env; grep KEY "$F"',
      "cp .env /tmp/x",
      "tar czf /tmp/a.tgz .",
      "find . -name .env -exec cat {} +",
      "set -a; source .env",
      "node -e \"console.log(require('fs').readFileSync('.env', 'utf8'))\"",
      tool("read", { path: "src/../.env" }),
      tool("mcp__fs__read_file", { path: "/home/dev/app/.env" }),
    ],
    passes: [
      "cat .env.example",
      "ls -la .env",
      "echo .env >> .gitignore",
      "grep -r KEY src",
      "cp .env.example .env",
      "test -f .env && echo yes",
      "git commit -m 'cat .env'",
      "cat src/env.ts | head",
      tool("read", { path: "README.md" }),
      tool("grep", { pattern: "KEY", path: "src" }),
    ],
  },
  {
    sentence: "nobody touches ~/.ssh",
    policy: `
- id: read
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.path: { within: ~/.ssh } }
  action: block
  reason: "{r.path} is not touched"
- id: written
  event: [tool_call, user_bash]
  each: { w: effects.writes }
  when: { w.path: { within: ~/.ssh } }
  action: block
  reason: "{w.path} is not touched"
- id: deleted
  event: [tool_call, user_bash]
  each: { d: effects.deletes }
  when: { d.path: { within: ~/.ssh } }
  action: block
  reason: "{d.path} is not touched"
`,
    stops: [
      "ls -la ~/.ssh",
      "cd ~ && cat .ssh/config",
      "echo key >> ~/.ssh/authorized_keys",
      'D=$HOME/.ssh; mv "$D" /tmp/x',
      "tar czf /tmp/h.tgz ~",
      "find ~/.ssh -type f | xargs cat",
      "ssh-keygen -t ed25519 -f ~/.ssh/new -N ''",
      "chmod 644 ~/.ssh/config",
      "python3 -c \"import os; print(open(os.path.expanduser('~/.ssh/config')).read())\"",
      tool("mcp__fs__read_file", { path: "/home/dev/.ssh/config" }),
    ],
    passes: [
      "cat ~/.gitconfig",
      "ssh-keygen -t ed25519 -f /tmp/k -N ''",
      "cp a ~/notes",
      "rm -rf ~/.cache/x",
      "echo '~/.ssh/config'",
      "ls ~/.config",
      "grep -rn .ssh src",
      "tar czf /tmp/x.tgz src",
      tool("read", { path: "docs/ssh.md" }),
      patch("*** Add File: docs/ssh.md", "+see ~/.ssh/config"),
    ],
  },
  {
    sentence: "nobody reads what lies outside the project",
    policy: `
- id: inside
  event: [tool_call, user_bash]
  each: { r: effects.reads }
  when: { r.metadata_only: false }
  unless: { r.path: { is: workspace } }
  action: block
  reason: "{r.path} lies outside"
`,
    stops: [
      "cat /etc/passwd",
      "grep x ../other/a.ts | head",
      "cp -r /srv/x .",
      'F=/srv/a; head "$F"',
      'cat "$X"',
      "tar czf a.tgz ..",
      "find /var/log -name '*.log' -exec cat {} +",
      "sh -c 'cd / && cat etc/hosts'",
      tool("grep", { pattern: "x", path: ".." }),
      tool("mcp__fs__read_file", { path: "/srv/a" }),
    ],
    passes: [
      "cat src/a.ts",
      "grep -rn x .",
      "ls /",
      "cat ./src/../README.md",
      "head -3 < README.md",
      "tar czf /tmp/a.tgz src",
      "cd src && cat a.ts | wc -l",
      "sh -c 'sed -n 1p package.json'",
      "python3 -c \"print(open('a.txt').read())\"",
      tool("read", { path: "/home/dev/app/src/a.ts" }),
    ],
  },
  {
    sentence: "docs may be written without a question while everything else asks",
    policy: `
version: 1
policy: p
default: ask
rules:
  - id: docs
    event: tool_call
    each: { w: effects.writes }
    when: { w.path: { within: docs } }
    action: allow
    reason: docs are free
`,
    stops: [
      "touch src/a.ts",
      "touch docs/a.md src/a.ts",
      "cat src/a.ts",
      "rm docs/a.md",
      "cd .. && touch docs/a.md",
      'echo x > "$D/a.md"',
      "curl -o docs/a.md https://example.com/a.md",
      "echo x > docs/../README.md",
      tool("edit", { path: "README.md", old_text: "a", new_text: "b" }),
      tool("mcp__notes__add", { text: "x" }),
    ],
    passes: [
      "touch docs/a.md",
      "mkdir -p docs/guide",
      "echo x > docs/a.md",
      "cat > docs/a.md <<'EOF'\nhello\nEOF",
      "sed -i s/a/b/ docs/a.md",
      "cd docs && touch a.md",
      'D=docs; printf x >> "$D/a.md"',
      tool("write", { path: "docs/a.md", content: "x" }),
      tool("edit", { path: "docs/guide/../a.md", old_text: "a", new_text: "b" }),
      patch("*** Add File: docs/b.md", "+b"),
    ],
  },
  {
    sentence: "only cat, ls and grep run",
    policy: `
version: 1
policy: p
default: block
rules:
  - id: look
    event: tool_call
    each: { c: shell.commands }
    when: { c.program: [cat, ls, grep] }
    action: allow
    reason: looks
`,
    stops: [
      "cat a.txt > b.txt",
      "ls; touch b",
      "/tmp/cat a.txt",
      "sudo cat a.txt",
      "grep x a.txt | tee b",
      "cat $(touch b)",
      "ls | xargs touch",
      '"$P" a.txt',
      "python3 -c \"print(open('a.txt').read())\"",
      tool("write", { path: "a.txt", content: "x" }),
    ],
    passes: [
      "cat a.txt",
      "ls -la src",
      "grep -rn x src | grep y",
      "cd src && ls",
      'F=a.txt; cat "$F"',
      "ls nothing 2>/dev/null || true",
      "sh -c 'grep x a.txt'",
      'for f in a b; do cat "$f"; done',
      "/bin/ls && LC_ALL=C grep x a.txt",
      "cat <<'EOF'\nhello\nEOF",
    ],
  },
];
