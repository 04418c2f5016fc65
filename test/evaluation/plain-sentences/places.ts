import { type PlainSentence, patch, tool } from "./sentence.ts";

/** Sentences about places that are written or deleted. */
export const places: readonly PlainSentence[] = [
  {
    sentence: "only src and test are written",
    policy: `
- id: only-ours
  event: [tool_call, user_bash]
  each: { w: effects.writes }
  unless: { w.path: { within: [src, test] } }
  action: block
  reason: "{w.path} is not ours to write"
`,
    stops: [
      "touch lib/a.ts",
      "grep x src/a.ts > README.md",
      "cp src/a.ts a.ts",
      "python3 -c \"open('out.txt', 'w').write('x')\"",
      'D=lib; mkdir -p "$D/x"',
      "curl -o tool.sh https://example.com/tool.sh",
      "echo x | tee src/a.ts notes.txt",
      "find src -name '*.ts' -exec cp {} /srv/out \\;",
      tool("write", { path: "docs/x.md", content: "x" }),
      patch("*** Update File: lib/a.ts", "@@", "-a", "+b"),
    ],
    passes: [
      "touch src/a.ts",
      "echo x > test/a.txt",
      "sed -i s/a/b/ src/a.ts",
      "mkdir -p src/x/y",
      "cp package.json test/fixtures/package.json",
      "cat README.md | grep x 2>/dev/null",
      "cd src && touch b.ts",
      "python3 -c \"open('src/a.txt', 'w').write('x')\"",
      tool("edit", { path: "src/a.ts", old_text: "a", new_text: "b" }),
      patch("*** Add File: test/b.ts", "+b"),
    ],
  },
  {
    sentence: "nobody deletes migrations",
    policy: `
- id: keep-migrations
  event: [tool_call, user_bash]
  each: { d: effects.deletes }
  when: { d.path: { glob: "**/migrations/**" } }
  action: block
  reason: "{d.path} stays"
`,
    stops: [
      "rm migrations/001.sql",
      "cd db && rm -r migrations/",
      "git rm -r db/migrations",
      "find migrations -name '*.sql' -delete",
      "ls migrations/*.sql | xargs rm",
      'M=migrations; rm -rf "$M"',
      "python3 -c \"import shutil; shutil.rmtree('migrations')\"",
      'rm "$DIR/001.sql"',
      tool("mcp__fs__delete_file", { path: "/home/dev/app/db/migrations/001.sql" }),
      patch("*** Delete File: migrations/001.sql"),
    ],
    passes: [
      "rm -rf build",
      "touch migrations/002.sql",
      "cat migrations/001.sql | head -5",
      "rm -r src/migrations.old",
      "ls -R migrations",
      "echo rm -rf migrations",
      "find build -name '*.o' -delete",
      "git commit -m 'rm -rf migrations'",
      "mv src/a.ts src/b.ts",
      tool("edit", { path: "migrations/001.sql", old_text: "a", new_text: "b" }),
    ],
  },
  {
    sentence: "tests are not deleted",
    policy: `
- id: keep-tests
  event: [tool_call, user_bash]
  each: { d: effects.deletes }
  when: { d.path: { glob: ["test/**", "**/*.test.ts"] } }
  action: block
  reason: "{d.path} is a test"
`,
    stops: [
      "rm test/a.ts",
      "rm -rf test",
      "git rm src/a.test.ts",
      "rm src/*.test.ts",
      "find . -name '*.test.ts' -delete",
      "git ls-files '*.test.ts' | xargs rm",
      "python3 -c \"import os; os.remove('test/a.py')\"",
      'for f in test/*; do rm "$f"; done',
      "git mv test old",
      patch("*** Delete File: src/a.test.ts"),
    ],
    passes: [
      "rm src/a.ts",
      "rm -rf dist",
      "touch test/b.test.ts",
      "npm test",
      "cat test/a.test.ts",
      "rm latest.txt contest.ts",
      "git rm docs/a.md",
      "find dist -name '*.js' -delete",
      "git commit -m 'rm -rf test'",
      tool("edit", { path: "test/a.test.ts", old_text: "a", new_text: "b" }),
    ],
  },
  {
    sentence: "no writes to /etc",
    policy: `
- id: no-etc
  event: [tool_call, user_bash]
  each: { w: effects.writes }
  when: { w.path: { within: /etc } }
  action: block
  reason: "{w.path} is the system's"
`,
    stops: [
      "echo x > /etc/hosts",
      "echo x | sudo tee -a /etc/hosts",
      "cd /etc && touch x",
      "install -m 644 a.conf /etc/a.conf",
      "tar xf a.tgz -C /etc",
      'E=/etc; printf x > "$E/motd"',
      'echo x > "$OUT"',
      "python3 -c \"open('/etc/x', 'w').write('x')\"",
      "rsync -a evil/ /",
      tool("mcp__fs__write_file", { path: "/etc/motd", content: "x" }),
    ],
    passes: [
      "cat /etc/hosts",
      "ls /etc | wc -l",
      "cp /etc/hosts /tmp/hosts",
      "mkdir -p etc && echo x > etc/hosts",
      "grep x /etc/passwd > out.txt",
      "diff /etc/hosts hosts",
      "echo /etc/hosts >> notes.txt",
      "tar czf /tmp/etc.tgz /etc",
      tool("read", { path: "/etc/os-release" }),
      tool("write", { path: "src/etc.ts", content: "/etc/hosts" }),
    ],
  },
  {
    sentence: "nobody changes CI workflows",
    policy: `
- id: written
  event: [tool_call, user_bash]
  each: { w: effects.writes }
  when: { w.path: { glob: ".github/workflows/**" } }
  action: block
  reason: "{w.path} is a workflow"
- id: deleted
  event: [tool_call, user_bash]
  each: { d: effects.deletes }
  when: { d.path: { glob: ".github/workflows/**" } }
  action: block
  reason: "{d.path} is a workflow"
`,
    stops: [
      "sed -i s/a/b/ .github/workflows/ci.yml",
      "rm -rf .github",
      "git mv .github/workflows/ci.yml old.yml",
      'W=.github/workflows; cp x.yml "$W/"',
      "cat > .github/workflows/a.yml <<'EOF'\non: push\nEOF",
      "git checkout main -- .github/workflows/ci.yml",
      "cd .github && echo x > workflows/a.yml",
      "node -e \"require('fs').writeFileSync('.github/workflows/a.yml', 'x')\"",
      tool("write", { path: ".github/workflows/ci.yml", content: "on: push" }),
      patch("*** Update File: .github/workflows/ci.yml", "@@", "-a", "+b"),
    ],
    passes: [
      "cat .github/workflows/ci.yml",
      "grep -rn 'on:' .github",
      "git add .github/workflows/ci.yml",
      "git diff .github/workflows | head -40",
      "gh workflow list",
      "rm -rf build",
      "touch .github/CODEOWNERS",
      "git commit -m 'change .github/workflows/ci.yml'",
      "cp .github/workflows/ci.yml /tmp/ci.yml",
      tool("edit", { path: "src/workflows.ts", old_text: "a", new_text: "b" }),
    ],
  },
];
