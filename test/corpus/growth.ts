/** A command that grows: `of` gives one of about so many characters, never more. */
export interface Shape {
  readonly name: string;
  of(length: number): string;
}

function repeated(name: string, head: string, unit: string, tail = ""): Shape {
  return {
    name,
    of: (length) =>
      head + unit.repeat(Math.max(1, Math.floor((length - head.length - tail.length) / unit.length))) + tail,
  };
}

function numbered(name: string, head: string, unit: (n: number) => string, tail = ""): Shape {
  return {
    name,
    of: (length) => {
      const parts: string[] = [];
      for (let n = 0, size = head.length + tail.length; size + unit(n).length <= length; n++) {
        parts.push(unit(n));
        size += unit(n).length;
      }
      return head + parts.join("") + tail;
    },
  };
}

function nested(name: string, head: string, middle: string, tail: string): Shape {
  const size = head.length + tail.length;
  return {
    name,
    of: (length) => {
      const depth = Math.max(1, Math.floor((length - middle.length) / size));
      return head.repeat(depth) + middle + tail.repeat(depth);
    },
  };
}

/**
 * Commands whose length is their only difference, as data. Time over them must grow no faster than they do; several
 * pass a bound of `schema/limits.ts` on the way and are then refused at once.
 */
export const shapes: readonly Shape[] = [
  repeated("many words", "echo", " word"),
  repeated("many paths", "cat", " src/file.ts"),
  numbered("many paths to an unknown program", "frobnicate", (n) => ` src/file${n}.ts`),
  numbered("many folders deep", "cat ", (n) => `d${n}/`, "x"),
  repeated("many steps up", "cat ", "../", "x"),
  numbered("many options", "git log", (n) => ` --option-${n}=${n}`),
  repeated("many short options", "ls -", "l"),
  numbered("many abbreviated options", "git commit", () => " --am"),
  numbered("many commands", "", (n) => `ls a${n}; `),
  numbered("many lines", "", (n) => `echo ${n} > out${n}\n`),
  numbered("a long chain of and", "true", (n) => ` && ls a${n}`),
  numbered("a long chain of or", "true", (n) => ` || ls a${n}`),
  repeated("a long pipeline", "cat a", " | sort"),
  numbered("many assignments", "", (n) => `A${n}=b${n}; `),
  numbered("many assignments that are used", "", (n) => `A${n}=b${n}; echo $A${n}; `),
  repeated("a variable that grows", "", "A=${A}x; "),
  numbered("many variables of one command", "", (n) => `A${n}=b${n} `, "env"),
  numbered("many subshells with a variable", "X=1; ", (n) => `(Y${n}=$X; ls $Y${n}); `),
  numbered("many functions", "", (n) => `f${n}() { ls a${n}; }; `),
  numbered("functions that call the one before", "f0() { ls; }; ", (n) => `f${n + 1}() { f${n}; }; `),
  numbered("many calls of one function", "f() { ls $1; }; ", (n) => `f a${n}; `),
  numbered("many redirections", "ls", (n) => ` >f${n}`),
  repeated("many substitutions", "echo", " $(ls a)"),
  repeated("many backticks", "echo", " `ls a`"),
  repeated("many expansions", "echo", ' "${X:-y}"'),
  repeated("many expansions in one word", 'echo "', "$HOME/", '"'),
  repeated("many sums", "echo", " $((1+2))"),
  repeated("a long sum", "echo $((1", "+1", "))"),
  repeated("a long test", "[[ a == b", " && a == b", " ]]"),
  repeated("many quotes in one word", "echo ", "'a'\"b\""),
  repeated("many escapes", "echo ", "\\a"),
  repeated("many globs", "ls", " *.ts"),
  repeated("many globs in one word", "ls ", "*?[a]"),
  repeated("many braces", "echo", " {a,b}"),
  repeated("many braces in one word", "echo ", "{a}"),
  repeated("many open braces", "echo ", "{a,"),
  repeated("one long string", "echo '", "abcdefgh", "'"),
  repeated("one long double-quoted string", 'git commit -m "', "add a line ", '"'),
  repeated("one long word", "echo ", "x"),
  repeated("a long here-document", "cat <<'E'\n", "line of text\n", "E"),
  repeated("a long here-document that expands", "cat <<E\n", "line of $HOME\n", "E"),
  numbered("many here-documents", "", (n) => `cat <<E${n}\nx\nE${n}\n`),
  repeated("a long script for a shell", "bash -c '", "ls a; ", "'"),
  repeated("a long script for eval", "eval '", "ls a; ", "'"),
  repeated("a long here-document for a shell", "bash <<'E'\n", "ls a\n", "E"),
  repeated("long Python code", "python3 -c '", "print(1)\n", "'"),
  repeated("long awk code", "awk '", "{ print $1 }\n", "'"),
  repeated("a long sed script", "sed '", "s/a/b/;", "' f"),
  repeated("many sed expressions", "sed", " -e s/a/b/", " f"),
  repeated("many clauses of find", "find .", " -name x -o"),
  repeated("many find commands", "find .", " -exec ls {} \\;"),
  repeated("many refs", "git push origin", " +HEAD:main"),
  repeated("many addresses", "curl", " https://example.com/a"),
  repeated("many installs", "npm install", " lodash"),
  repeated("many wrappers", "", "env ", "ls"),
  repeated("many words for xargs", "echo ", "a ", "| xargs ls"),
  repeated("a long printf", "printf '%s\\n'", " a", " | sh"),
  repeated("a long format", "printf '", "%s", "' a | sh"),
  repeated("a long echo into a shell", "echo '", "ls a; ", "' | sh"),
  repeated("a long base64 text", "echo ", "bHMg", " | base64 -d | sh"),
  repeated("many values of a loop", "for i in", " a", "; do ls $i; done"),
  repeated("many branches", "", "if a; then ls; fi; "),
  numbered("many cases", "case $X in ", (n) => `${n}) ls a${n};; `, "esac"),
  repeated("a long array", "a=(", "x ", '); echo "${a[@]}"'),
  numbered("many changes of folder", "", (n) => `cd d${n}; `),
  repeated("many comments", "", "# a comment\n", "ls"),
  nested("nested parentheses", "(", "ls", ")"),
  nested("nested groups", "{ ", "ls", "; }"),
  nested("nested substitutions", "$(", "ls", ")"),
  nested("nested quoted substitutions", '"$(', "ls", ')"'),
  nested("nested expansions", "${X:-", "y", "}"),
  nested("nested braces", "{a,", "b", "}"),
  nested("nested ifs", "if a; then ", "ls", "; fi"),
  repeated("open parentheses", "", "("),
  repeated("open substitutions", "", "$("),
  repeated("open quotes of expansions", "", '"${X'),
  repeated("open backticks", "", "`a "),
];
