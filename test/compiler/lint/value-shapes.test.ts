import { describe, expect, it } from "vitest";
import { wrongShape } from "../../../compiler/lint/value-shapes.ts";
import { bash } from "../../facts/effects/judge.ts";
import { exampleRows } from "../../facts/programs/rows.ts";

/** Texts that a field never has, by field and operator, with a part of what to write. */
const wrong: readonly (readonly [field: string, operator: string, text: string, help: string])[] = [
  ["path", "glob", "*.pem|*.key", '{ glob: ["*.pem", "*.key"] }'],
  ["path", "glob", "src/**|docs/**", '["src/**", "docs/**"]'],
  ["path", "glob", "*.a,*.b", '["*.a", "*.b"]'],
  ["path", "within", "src|docs", "{ within: [src, docs] }"],
  ["path.name", "ends_with", ".pem|.key", "{ ends_with: [.pem, .key] }"],
  ["push_target.branch", "glob", "release/*|hotfix/*", '["release/*", "hotfix/*"]'],
  ["url.host", "glob", "*.a.example|*.b.example", '["*.a.example", "*.b.example"]'],
  ["path", "glob", "~root/.ssh/**", "`/root/.ssh/**`"],
  ["path", "within", "~bob", "/home/bob"],
  ["path", "starts_with", "~bob/x", "/home/bob/x"],
  ["path.lexical", "starts_with", "~root/", "`/root/`"],
  ["path.lexical", "starts_with", "src/", "{ within: src }"],
  ["path.real", "starts_with", "~/.ssh", "{ within: ~/.ssh }"],
  ["path.lexical", "glob", "src/*", '{ glob: "src/*" }'],
  ["path.name", "equals", "node_modules/", '{ glob: "**/node_modules/**" }'],
  ["command.cwd", "starts_with", "src/", 'path(c.cwd).within("src")'],
  ["command.cwd", "equals", "~/work", 'path(c.cwd).within("~/work")'],
  ["command.cwd", "glob", "src/**", 'path(c.cwd).glob("src/**")'],
  ["command.cwd", "ends_with", "/src/", "`/src`"],
  ["url.host", "equals", "[::1]", '"::1"'],
  ["url.host", "equals", "[fe80::1]:8080", 'port: "8080"'],
  ["url.host", "starts_with", "[fd", "`fd`"],
  ["url.host", "contains", "::1]", "`::1`"],
  ["url.host", "equals", "0:0:0:0:0:0:0:1", '"::1"'],
  ["url.host", "equals", "::ffff:10.0.0.1", '"::ffff:a00:1"'],
  ["url.host", "in", "127.1", "`127.0.0.1`"],
  ["url.host", "in", "0x7f.0.0.1", "`127.0.0.1`"],
  ["url.userinfo", "ends_with", "@", "not_equals"],
  ["url.userinfo", "equals", "git@", "`git`"],
  ["url.userinfo", "glob", "*:*@", "`*:*`"],
  ["config_change.target", "starts_with", "aws s3 rb", "aws delete"],
  ["config_change.target", "starts_with", "aws ec2 terminate-instances", "aws delete ec2/instances"],
  ["config_change.target", "starts_with", "gcloud projects delete", "gcloud delete projects"],
  ["config_change.target", "glob", "gh repo delete *", "github delete repo"],
  ["config_change.target", "equals", "apt-get remove nginx", "`system delete package/nginx`"],
  ["config_change.target", "equals", "crontab -r", "`cron delete crontab`"],
  ["config_change.target", "starts_with", "rclone purge", "rclone delete"],
  ["config_change.target", "equals", "npm.registry", "`registry`"],
  ["config_change.target", "equals", "git.core.hooksPath", "`core.hooksPath`"],
  ["kill.target", "equals", "-9 node", "`node`"],
  ["kill.target", "equals", "-s KILL node", "`node`"],
  ["kill.target", "starts_with", "-KILL node", "`node`"],
  ["kill.target", "equals", "pkill node", "`node`"],
  ["kill.target", "equals", "docker stop web", "`container/web`"],
  ["kill.target", "equals", "systemctl stop nginx", "`nginx`"],
];

/** Texts beside those, which a field has. */
const right: readonly (readonly [field: string, operator: string, text: string])[] = [
  ...["*,v", "{a,b}/*", "[a|b]*", "~*", "~", "~/x", "**/*~", "~lock"].map((text) => ["path", "glob", text] as const),
  ["path", "equals", "~lock"],
  ["path.name", "starts_with", "~$"],
  ["path.name", "contains", "|"],
  ["path.lexical", "starts_with", "/home/"],
  ["path.lexical", "contains", "src/"],
  ...["/tmp", "", "/"].map((text) => ["command.cwd", "equals", text] as const),
  ["command.cwd", "glob", "**/src/**"],
  ["command.cwd", "ends_with", "/src"],
  ["command.cwd", "contains", "src/"],
  ["command.cwd", "starts_with", "/tmp/"],
  ...["::1", "fd00::1", "127.0.0.1", "1password.example", "10.0.0.1"].map((t) => ["url.host", "equals", t] as const),
  ["url.host", "starts_with", "10.0"],
  ["url.host", "ends_with", ".1"],
  ["url.host", "glob", "[a-f]*.example"],
  ["url.host", "host_in", "[::1]"],
  ["url.userinfo", "contains", ":"],
  ["url.userinfo", "equals", "me%40example"],
  ["config_change.target", "equals", "core.hooksPath"],
  ["config_change.target", "equals", "gpg.program"],
  ["config_change.target", "equals", "systemctl restart web"],
  ["config_change.target", "starts_with", "docker del"],
  ["config_change.target", "glob", "kubernetes del*"],
  ["config_change.target", "equals", "git push --force"],
  ["kill.target", "equals", "every process"],
  ["kill.target", "equals", "node server.js"],
  ["kill.target", "equals", "python -m http.server"],
  ["kill.target", "starts_with", "kill"],
];

describe("forms of values", () => {
  it.each(wrong)("%s %s is never %s", (field, operator, text, help) => {
    expect(wrongShape(field, text, operator)?.help).toContain(help);
  });

  it.each(right)("%s %s may be %s", (field, operator, text) => {
    expect(wrongShape(field, text, operator)).toBeUndefined();
  });

  it("are those of every target of the tables, and of each beginning of one", () => {
    const targets = (kind: "config" | "kills"): readonly string[] => {
      const calls = exampleRows().flatMap(({ names, words }) => names.map((name) => `${name} ${words}`.trim()));
      const effects = calls.flatMap((call) => bash(call).effects?.[kind] ?? []);
      return [...new Set(effects.flatMap(({ target }) => (typeof target === "string" ? [target] : [])))];
    };
    const refused = (field: string, all: readonly string[]): readonly string[] =>
      all.flatMap((target) => {
        const beginnings = Array.from({ length: Math.min(target.length, 30) - 2 }, (_, i) => target.slice(0, i + 3));
        const parts = beginnings.filter((part) => wrongShape(field, part, "starts_with"));
        return wrongShape(field, target, "equals") ? [target, ...parts] : parts;
      });
    const [config, kills] = [targets("config"), targets("kills")];
    expect([config.length, kills.length].every((count) => count > 30)).toBe(true);
    expect(refused("config_change.target", config)).toEqual([]);
    expect(refused("kill.target", kills)).toEqual([]);
  });
});
