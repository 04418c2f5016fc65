/**
 * An example for the reference of every field of a call that conditions can read, with its value in one call. A test runs all of
 * them and checks that no field of these records lacks one.
 */

/** Example of one record: a bash command, the expression of the record, and the value of each field, as an expression. */
export interface RecordExample {
  readonly call: string;
  readonly value: string;
  /**
   * By field: its value, or the rest of an expression after the field with the value of the whole. For a field that may be
   * absent, `?` reads it as an optional (`value.?field`), and `has` asks whether it is there.
   */
  readonly fields: Readonly<Record<string, string | readonly [expression: string, gives: string]>>;
}

const caused = (via: string): RecordExample["fields"] => ({
  via: JSON.stringify(via),
  certain: "true",
  command: ["has", "true"],
});

/** Examples by the name of the record's type. */
export const recordExamples: Readonly<Record<string, RecordExample>> = {
  shell: {
    call: "cat log | grep -c error && date",
    value: "shell",
    fields: {
      commands: [".map(c, c.program)", '["cat", "grep", "date"]'],
      pipelines: [".map(p, size(p))", "[2]"],
    },
  },
  command: {
    call: "cat log | LANG=C sudo -u ci grep --max-count=5 error src > out.txt",
    value: "shell.commands[1]",
    fields: {
      program: '"grep"',
      path: ["has", "false"],
      subcommand: ["has", "false"],
      words: [".map(w, w.text)", '["--max-count=5", "error", "src"]'],
      operands: '["error", "src"]',
      options: ['[0].names.exists(n, n == "-m")', "true"],
      env: ['["LANG"]', '"C"'],
      wrappers: '["sudo"]',
      redirects: ["[0].operator", '">"'],
      piped_from: ["has", "true"],
      piped_to: ["has", "false"],
      cwd: '"/home/dev/app"',
      span: [".start", "10"],
      certain: "true",
      text: '"grep --max-count=5 error src"',
    },
  },
  word: {
    call: "rm *.log",
    value: "shell.commands[0].words[0]",
    fields: { text: '"*.log"', kind: '"pattern"' },
  },
  option: {
    call: "grep --max-count=5 error",
    value: "shell.commands[0].options[0]",
    fields: { names: ['.exists(n, n == "--max-count")', "true"], value: ["?", 'optional.of("5")'] },
  },
  redirect: {
    call: "date >> out.txt",
    value: "shell.commands[0].redirects[0]",
    fields: { operator: '">>"', path: ["has", "true"], certain: "true" },
  },
  span: {
    call: "date",
    value: "shell.commands[0].span",
    fields: { start: "0", end: "4" },
  },
  effects: {
    call: "curl -o a.sh https://example.com/a.sh",
    value: "effects",
    fields: {
      reads: [".map(r, r.path.name)", "[]"],
      writes: [".map(w, w.path.name)", '["a.sh"]'],
      deletes: [".size()", "0"],
      runs: [".size()", "0"],
      network: [".map(n, n.url.host)", '["example.com"]'],
      installs: [".size()", "0"],
      pushes: [".size()", "0"],
      config: [".size()", "0"],
      kills: [".size()", "0"],
    },
  },
  read: {
    call: "tar czf out.tgz ~/.ssh",
    value: "effects.reads[0]",
    fields: { path: ['.is("secret")', "true"], recursive: "true", metadata_only: "false", ...caused("tar") },
  },
  write: {
    call: "date > /tmp/now",
    value: "effects.writes[0]",
    fields: { path: ['.is("temp")', "true"], recursive: "false", ...caused("date") },
  },
  delete: {
    call: "sudo rm -r build",
    value: "effects.deletes[0]",
    fields: { path: ['.within("/home/dev/app")', "true"], recursive: "true", ...caused("rm") },
  },
  run: {
    call: "node build.js",
    value: "effects.runs[0]",
    fields: { target: '"build.js"', source: '"file"', ...caused("node") },
  },
  network_access: {
    call: "curl -d @notes.txt https://example.com/in",
    value: "effects.network[0]",
    fields: { url: ['.hostIn("example.com")', "true"], direction: '"upload"', ...caused("curl") },
  },
  install: {
    call: "npm install left-pad@1.3.0",
    value: "effects.installs[0]",
    fields: { manager: '"npm"', source: '"registry"', name: '"left-pad@1.3.0"', pinned: "true", ...caused("npm") },
  },
  push: {
    call: "git push --force origin HEAD:main",
    value: "effects.pushes[0]",
    fields: {
      remote: '"origin"',
      target: [".branch", '"main"'],
      forced: "true",
      mirror: "false",
      delete: "false",
      ...caused("git"),
    },
  },
  push_target: {
    call: "git push origin :old",
    value: "effects.pushes[0].target",
    fields: { branch: '"old"' },
  },
  config_change: {
    call: "git config core.hooksPath hooks",
    value: "effects.config[0]",
    fields: { target: '"core.hooksPath"', ...caused("git") },
  },
  kill: {
    call: "pkill node",
    value: "effects.kills[0]",
    fields: { target: '"node"', ...caused("pkill") },
  },
  path: {
    call: "cat src/../notes/today.md",
    value: "effects.reads[0].path",
    fields: {
      text: '"src/../notes/today.md"',
      lexical: '"/home/dev/app/notes/today.md"',
      real: '"/home/dev/app/notes/today.md"',
      pattern: "false",
      name: '"today.md"',
      ext: '"md"',
      parent: [".name", '"notes"'],
    },
  },
  url: {
    call: "curl 'https://me@P\u0430ypal.com:8443/go?to=https%3A%2F%2Fother.test'",
    value: "effects.network[0].url",
    fields: {
      text: ['.startsWith("https://me@")', "true"],
      scheme: '"https"',
      host: '"xn--pypal-4ve.com"',
      port: '"8443"',
      path: '"/go"',
      query: '"to=https%3A%2F%2Fother.test"',
      userinfo: '"me"',
      host_skeleton: '"paypal.com"',
      mixed_scripts: "true",
      embedded: [".map(u, u.host)", '["other.test"]'],
    },
  },
  text_facts: {
    call: "echo 'a\u200bb'",
    value: "text",
    fields: {
      invisible: "1",
      bidi: "0",
      ansi: "0",
      tags: "0",
      controls: "0",
      overwrites: "0",
      mixed_scripts: "false",
      places: [".map(p, p.offset)", "[7]"],
    },
  },
  text_place: {
    call: "echo 'a\u200bb'",
    value: "text.places[0]",
    fields: {
      kind: '"invisible"',
      where: '"args.command"',
      offset: "7",
      code: '"U+200B"',
      name: '"zero width space"',
    },
  },
};

/** The expression of a field's example, and what it gives. */
export function fieldExample({ value, fields }: RecordExample, name: string): readonly [string, string] | undefined {
  const given = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (given === undefined) return undefined;
  if (typeof given === "string") return [`${value}.${name}`, given];
  const [rest, gives] = given;
  if (rest === "has") return [`has(${value}.${name})`, gives];
  return rest.startsWith("?") ? [`${value}.?${name}${rest.slice(1)}`, gives] : [`${value}.${name}${rest}`, gives];
}
