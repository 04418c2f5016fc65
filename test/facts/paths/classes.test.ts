import { describe, expect, it } from "vitest";
import { pathClass, pathClasses } from "../../../facts/paths/classes.ts";
import { hermeticFiles } from "../../../facts/paths/files.ts";
import { resolvePath } from "../../../facts/paths/resolve.ts";
import type { Environment } from "../../../schema/judged-event.ts";

const environment: Environment = {
  cwd: "/home/dev/app",
  workspace: "/home/dev/app",
  home: "/home/dev",
  user: "dev",
  os: "linux",
  shell: "bash",
  branch: undefined,
  default_branch: undefined,
  case_insensitive: false,
  interactive: false,
  variables: { TMPDIR: "/scratch/dev" },
};
const files = hermeticFiles({
  "/home/dev/app/key": { symlink: "/home/dev/.ssh/id_rsa" },
  "/home/dev/app/out": { symlink: "/etc" },
  "/home/dev/app/.env": { symlink: "/home/dev/app/.env.example" },
});
const path = (text: string) =>
  resolvePath(text, { cwd: environment.cwd, home: environment.home, fold: false, pattern: true }, files);

const table: Record<string, { yes: string[]; no: string[] }> = {
  protected_root: {
    yes: [
      "/",
      "/*",
      "/etc",
      "/etc/",
      "/e*",
      "~",
      "~/",
      "~/*",
      "~/.*",
      "/home",
      "/home/*",
      ".",
      "./*",
      "*",
      "..",
      "/mnt/data",
      "/mnt",
      "/media/dev/usb",
      "/Volumes/Disk",
      "C:\\",
      "/proc/self/root",
      "/etc/..",
      "/b?n",
      "out",
      "/srv/*",
      "/**",
      "[a-z]*",
    ],
    no: [
      "node_modules",
      "node_modules/*",
      "/tmp",
      "/tmp/x",
      "/tmp/*",
      "/etc/nginx",
      "~/x",
      "dist/*",
      "*.log",
      "/home/eve",
      "/mnt/data/x",
      "src/**/*.js",
      "/var/log",
    ],
  },
  secret: {
    yes: [
      ".env",
      ".env.production",
      ".env.local",
      "sub/.env",
      "prod.env",
      "~/.ssh/id_rsa",
      "~/.ssh/id_ed25519",
      "~/.ssh/*",
      "~/.ssh/id_*",
      "/root/.ssh/id_rsa",
      "server.pem",
      "x.key",
      "app.keystore",
      "~/.aws/credentials",
      "~/.netrc",
      "~/.pgpass",
      "~/.docker/config.json",
      "~/.kube/config",
      "~/.npmrc",
      "~/.pypirc",
      "~/.config/gcloud/credentials.db",
      "~/.config/gh/hosts.yml",
      "~/.gnupg/secring.gpg",
      "/etc/shadow",
      "/etc/shad*",
      "/etc/*",
      "key",
      ".env*",
      "*.p?m",
      ".*",
      "/proc/self/environ",
      "/proc/*/environ",
      "/run/secrets/db",
      "terraform.tfstate",
      ".env",
      "*.pem",
      "certs/*.key",
      "cred*",
      "cr?dent*.json",
      "[c]redentials.json",
      "secr*.yml",
      "config/mas*",
      "id_*",
      "*_ed25519",
      ".e*",
      "*key*",
      "**/.env",
      "*/id_rsa",
    ],
    no: [
      ".env.example",
      ".env.sample",
      ".env.template",
      "sub/.env.example",
      "~/.ssh/id_rsa.pub",
      "~/.ssh/known_hosts",
      "~/.ssh/config",
      "/etc/ssl/certs/ca.pem",
      "src/env.ts",
      ".npmrc",
      "package.json",
      "*",
      "**/*",
      "src/*",
      "*.ts",
      "README.md",
      "/etc/passwd",
      "src/key.ts",
      "public_key.pem",
      "keyboard.tsx",
      "monkey.json",
      "environment.ts",
      "src/*.json",
      "data/*.csv",
      "config/*.{yml,toml}",
      "test/*.test.*",
      "src/js_native_api_v8*",
      "package*.json",
      "c*.json",
      "*.php",
      "*.*",
    ],
  },
  agent_config: {
    yes: [
      ".claude/settings.json",
      ".vimrc",
      "~/.config/nvim/init.lua",
      "~/.tmux.conf",
      "uv.toml",
      "~/.gradle/init.d/x.gradle",
      ".gitlab/ci/build.yml",
      "~/.ssh/environment",
      ".vscode/tasks.json",
      ".devcontainer/devcontainer.json",
      ".envrc",
      ".yarnrc.yml",
      "~/.config/systemd/user/x.service",
      "~/Library/LaunchAgents/x.plist",
      "/etc/cron.d/x",
      ".gitattributes",
      "~/.zshenv",
      "~/.ssh/authorized_keys",
      "~/.claude/settings.json",
      ".cursor/mcp.json",
      ".mcp.json",
      "AGENTS.md",
      "CLAUDE.md",
      ".git/hooks/post-checkout",
      ".git/config",
      ".gitmodules",
      ".vscode/settings.json",
      ".idea/workspace.xml",
      ".envrc",
      ".npmrc",
      "~/.bashrc",
      "~/.zshenv",
      "~/.ssh/authorized_keys",
      "/etc/crontab",
      "~/.config/systemd/user/x.service",
      "~/Library/LaunchAgents/x.plist",
      ".github/workflows/ci.yml",
      ".claude",
      ".claude/*",
      ".pi/hooks/a.ts",
      ".omp/x",
    ],
    no: [
      "src/index.ts",
      ".git/HEAD",
      "docs/claude.md.txt",
      ".vscode/notes.md",
      "*",
      "*.ts",
      "README.md",
      ".github/CODEOWNERS",
    ],
  },
  engine: {
    yes: [
      ".hookwarden/policy.yaml",
      ".hookwarden",
      "/etc/hookwarden/x.yaml",
      "~/.config/hookwarden/policies/a.yaml",
      "~/.local/state/hookwarden/audit.jsonl",
      "node_modules/hookwarden/dist/index.js",
      "node_modules/.bin/hookwarden-hook",
      "dist/bin/hookwarden-hook.sh",
      "dist/bin/hookwarden-hook.0123456789abcdef.program",
      "/usr/local/bin/hookwarden",
      ".hook*",
    ],
    no: ["src/hookwarden.ts", "docs/hookwarden", "node_modules/other"],
  },
  workspace: { yes: [".", "src/x", "/home/dev/app"], no: ["..", "/home/dev/application", "/etc"] },
  home: { yes: ["~", "~/x", "src"], no: ["/home/eve", "/home", "/home/developer"] },
  temp: {
    yes: ["/tmp", "/tmp/x", "/var/tmp/y", "/private/tmp/x", "/var/folders/ab/cd/T/x", "/dev/shm/x", "/scratch/dev/x"],
    no: ["/temp", "/var/folders/ab", "tmp/x", "/tmpfoo"],
  },
  device: {
    yes: ["/dev/sda", "/dev/nvme0n1p1", "/dev/mem", "/dev/disk/by-id/x", "/dev/sd*", "/proc/sysrq-trigger"],
    no: [
      "/dev/null",
      "/dev/stdout",
      "/dev/fd/3",
      "/dev/tty",
      "/dev/shm/x",
      "/dev/urandom",
      "/dev/tcp/h/80",
      "dev/sda",
      "/dev",
    ],
  },
  system: {
    yes: [
      "/etc/hosts",
      "/usr/bin/x",
      "/lib64/x",
      "/boot/vmlinuz",
      "/var/log/x",
      "/System/x",
      "C:\\Windows\\x",
      "/opt",
      "out/passwd",
      "/u?r/x",
    ],
    no: ["/tmp/x", "/var/tmp/x", "/home/dev/etc", "/srv/x", "~/usr"],
  },
};

/** Folders that hold secrets at a place that the tables name, and others. */
const taken = {
  yes: [
    "~/.ssh",
    ".ssh",
    "backup/.ssh",
    "~/.aws",
    "~/.gnupg/",
    "~/.kube",
    "~/.docker",
    "~/.config",
    "~/.config/gh",
    "~/.password-store",
    "~",
    "~/*",
    "~/.*",
    ".*",
    "~/.ssh/*",
    "..",
    "/home",
    "/",
    "/*",
    "/root",
    "/etc/ssl/private",
    "/etc/sudoers.d",
    "/proc/self",
    "/run/secrets",
    "/root/*",
  ],
  no: [
    ".",
    "src",
    "*",
    "src/*",
    ".docker",
    ".config",
    "~/Documents",
    "~/.ssh/known_hosts",
    "~/.cargo/registry",
    "/usr/share",
    "/etc",
    "/etc/ssl",
    "out",
    "/var",
    "/var/lib",
    "/run",
    "/tmp",
    "~/.vscode",
  ],
};

describe("path classes, any form", () => {
  it("covers every class", () => {
    const elsewhere = ["engine_place", "engine_folder", "fixture"]; // engine-places.test.ts, fixtures.test.ts
    expect([...Object.keys(table), ...elsewhere].sort()).toEqual([...pathClasses].sort());
  });
  for (const [name, { yes, no }] of Object.entries(table)) {
    it.each(yes)(`%s is ${name}`, (text) => expect(pathClass(name, path(text), environment, "any")).toBe(true));
    it.each(no)(`%s is not ${name}`, (text) => expect(pathClass(name, path(text), environment, "any")).toBe(false));
  }
});

describe("a folder that is taken whole", () => {
  const whole = (text: string) => ({ ...path(text), tree: true as const });

  it.each(taken.yes)("%s is secret", (text) => expect(pathClass("secret", whole(text), environment, "any")).toBe(true));
  it.each(taken.no)("%s is not secret", (text) =>
    expect(pathClass("secret", whole(text), environment, "any")).toBe(false),
  );
  it.each(["~/.config", "~", "/home", "/root"])("%s is not secret by itself, nor where a test loosens", (text) => {
    expect(pathClass("secret", path(text), environment, "any")).toBe(false);
    expect(pathClass("secret", whole(text), environment, "all")).toBe(false);
  });
});

describe("path classes, all forms", () => {
  it.each([
    ["temp", "/tmp/x", true],
    ["temp", "/tmp/*", true],
    ["temp", "/t*/x", false],
    ["workspace", "src/*", true],
    ["workspace", "out/x", false],
    ["workspace", "key", false],
    ["secret", ".env*", false],
    ["secret", "sub/.env", true],
    ["secret", ".env.example", false],
    ["protected_root", "/etc", true],
    ["protected_root", "/e*", true],
    ["home", "a\0b", false],
    ["nothing", "/x", false],
  ])("%s of %s: %s", (name, text, expected) => {
    expect(pathClass(name, path(text), environment, "all")).toBe(expected);
  });
});

describe("unknown surroundings", () => {
  const bare = { ...environment, cwd: "", home: "", workspace: "", variables: {} };
  const unknown = (text: string) => resolvePath(text, { cwd: "", home: "", fold: false, pattern: true }, files);
  it.each([
    ["protected_root", "*", true],
    ["protected_root", ".", true],
    ["protected_root", "..", true],
    ["protected_root", "node_modules", false],
    ["protected_root", "~", true],
    ["secret", ".env", true],
    ["secret", "~/.npmrc", true],
    ["secret", "~/.ssh/id_rsa", true],
    ["workspace", "x", false],
    ["home", "x", false],
  ])("%s of %s: %s", (name, text, expected) => {
    expect(pathClass(name, unknown(text), bare, "any")).toBe(expected);
  });
});
