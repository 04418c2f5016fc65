import { type FactShape, file, made, piecesOf, shell } from "./shape.ts";

/** What is looked at for runs of the product, its copies, its Node, and variables of what starts later. */
export const engine: readonly FactShape[] = [
  shell("scripts in folders of their own", "ls;", (i) => ` node d${i}/a.js;`, " ls"),
  shell("scripts of one runner", "node", (i) => ` d${i}/a.js`),
  shell("copies of the product", "ls;", (i) => ` cp node_modules/hookwarden/dist/a.js /tmp/c${i}.js;`, " ls"),
  shell(
    "copies of the product that run",
    "ls;",
    (i) => ` cp -r node_modules/hookwarden c${i}; node c${i}/x.js;`,
    " ls",
  ),
  shell("links to the product", "ls;", (i) => ` ln -s node_modules/hookwarden c${i};`, " ls"),
  shell("programs in no table", "ls;", (i) => ` ./p${i} a b c;`, " ls"),
  shell("words of a package manager", "npm exec", (i) => ` a${i}`, " hookwarden"),
  shell("versions of Node", "nvm uninstall", (i) => ` ${i}`),
  shell("git in many folders", "ls;", (i) => ` git -C d${i} checkout a;`, " ls"),
  shell("files of variables that one command writes", "touch", (i) => ` .env.a${i}`),
  shell("variables of a terminal", "tmux set-environment", (i) => ` A${i} b`),
  shell("variables of services", "systemctl --user set-environment", (i) => ` NODE_OPTIONS=a${i}`),
  file(".bashrc", "", (i) => `export A${i}=b\n`),
  file(".bashrc", "", (i) => `A${i}=b `),
  file(".bashrc", "", () => "NODE_OPTIONS=a "),
  file(".bashrc", "set -", () => "x"),
  file(".bashrc", "setx", () => " -a"),
  file(".bashrc", "NODE_OPTIONS", () => " ", "a"),
  file(".bashrc", "", (i) => `# A${i}=b\n`),
  file(".claude/settings.json", '{"env":{', (i) => `"A${i}":"b",`, '"z":"1"}}'),
  file("a.plist", "", () => "<key> "),
  file("LaunchAgents/a.plist", "", (i) => `<key>A${i}</key> <string>b</string>\n`),
  made("variables that a tool sets", "mcp__x__set_env", (length) => ({
    list: piecesOf(length, (i) => `A${i}=b`),
  })),
  made("names of variables that a tool sets", "mcp__x__set_env", (length) => ({
    list: piecesOf(length, (i) => (i % 2 === 0 ? "PATH" : `LD_${"A".repeat((i % 50) + 1)}`)),
  })),
];
