import { describe, expect, it } from "vitest";
import { bash, deletes, network, writes } from "../effects/judge.ts";

/** Programs that are told what to do in ways of their own. Source: threats page, classes 3, 8 and 14. */
describe("what is told to a program counts as what it does", () => {
  it.each([
    ["nix run nixpkgs#toybox -- rm -r /srv/a", ["/srv/a recursive"]],
    ["nix run nixpkgs#pkgs.rm -- -r /srv/a", ["/srv/a recursive"]],
    ["nix run nixpkgs#hello -- a", []],
    ["pixi run rm -r /srv/a", ["/srv/a recursive"]],
    ["make -f <(printf 'all:\\n\\t@rm -r /srv/a\\n')", ["/srv/a recursive"]],
    ["zx -e 'await $`rm -r /srv/a`'", ["/srv/a recursive"]],
    ["node -e 'import { $ } from \"zx\"; $`rm -r /srv/a`'", ["/srv/a recursive"]],
    ['clojure -M -e \'(clojure.java.shell/sh "rm" "-r" "/srv/a")\'', ["/srv/a recursive"]],
    ["dotnet fsi <<< 'System.IO.Directory.Delete(\"/srv/a\", true)'", ["/srv/a recursive"]],
    ["python3 -c 'import os\nfor d, _, f in os.walk(\"/srv\"): os.unlink(d)'", ["/srv/**"]],
    ["python3 -c 'import os; [os.unlink(d) for d, _, fs in os.walk(\"/srv\") for f in fs]'", ["/srv/**"]],
  ])("%j deletes %j", (text, paths) => {
    expect(deletes(bash(text))).toEqual(paths);
  });

  it.each([
    ["7z x a.7z -o/srv/a", ["/srv/a"]],
    ["7z x -y a.7z -oout", ["out"]],
    ["git clone https://h.test/o/a .cursor/b", [".cursor/b"]],
  ])("%j writes %j", (text, paths) => {
    expect(writes(bash(text)).map((path) => path.replace("/home/dev/app/", ""))).toEqual(paths);
  });

  it.each([
    ["lftp -e 'open ftp://h.test; put a'", ["h.test both"]],
    ["sftp -b - dev@h.test", ["h.test both"]],
    ["borg list ssh://h.test/r", []],
    ["restic -r sftp:dev@h.test:/r backup a", ["h.test upload"]],
  ])("%j reaches %j", (text, hosts) => {
    expect(network(bash(text)).slice(0, hosts.length)).toEqual(hosts);
  });
});
