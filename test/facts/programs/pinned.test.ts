import { describe, expect, test } from "vitest";
import { shownText } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

/** Packages that the call installs and whether they are pinned, `?` where unknown. */
function installs(command: string): string {
  const found = bash(command).effects?.installs ?? [];
  return found
    .map(({ name, pinned }) => `${shownText(name)} ${typeof pinned === "boolean" ? pinned : "?"}`.trim())
    .join(", ");
}

describe("a package is pinned where the call names one version of it", () => {
  test.each([
    ["npm install left-pad@1.3.0", "left-pad@1.3.0 true"],
    ["npm i @scope/a@1.2.3-rc.1", "@scope/a@1.2.3-rc.1 true"],
    ["npm i alias@npm:left-pad@1.3.0", "alias@npm:left-pad@1.3.0 true"],
    ["pnpm add a@=2.0.0 b@2.0.0", "a@=2.0.0 true, b@2.0.0 true"],
    ["npx -y cowsay@1.5.0 hi", "cowsay@1.5.0 true"],
    ["deno add jsr:@std/path@1.0.8", "jsr:@std/path@1.0.8 true"],
    ["pip install requests==2.31.0", "requests==2.31.0 true"],
    ["pip install 'uvicorn[standard]==0.30.1'", "uvicorn[standard]==0.30.1 true"],
    [`pip install 'a === 1.0; python_version < "3.9"'`, 'a === 1.0; python_version < "3.9" true'],
    ["uv pip install a==1.0.post1", "a==1.0.post1 true"],
    ["uvx ruff@0.4.1 check", "ruff@0.4.1 true"],
    ["conda install numpy=1.26.4=py311_0", "numpy=1.26.4=py311_0 true"],
    ["gem install rails -v 7.0.1", "rails true"],
    ["gem install rails:7.0.1", "rails:7.0.1 true"],
    ["composer require a/b:1.2.3", "a/b:1.2.3 true"],
    ["cargo install ripgrep --version 14.1.0", "ripgrep true"],
    ["cargo add serde@1.0.200", "serde@1.0.200 true"],
    ["go install example.com/x@v1.2.3", "example.com/x@v1.2.3 true"],
    ["dotnet add package X --version 1.2.3", "X true"],
    ["apt-get install -y curl=7.88.1-10+deb12u5", "curl=7.88.1-10+deb12u5 true"],
    ["apk add curl=8.5.0-r0", "curl=8.5.0-r0 true"],
    ["dnf install curl-8.0.1-1.fc39", "curl-8.0.1-1.fc39 true"],
    ["brew install node@20", "node@20 true"],
    ["choco install git --version 2.44.0", "git true"],
    ["npm ci", "true"],
    ["pip install git+https://github.com/a/b@0123abcd", "git+https://github.com/a/b@0123abcd true"],
    ["pip install ./wheels/a.whl", "./wheels/a.whl true"],
  ])("%s", (command, expected) => expect(installs(command)).toBe(expected));
});

describe("a range, a tag, a wildcard and no version are not", () => {
  test.each([
    "npm install left-pad",
    "npm i left-pad@1",
    "npm i left-pad@1.x",
    "npm i left-pad@latest",
    "npm i 'left-pad@^1.2.3'",
    "npm i 'left-pad@1.0.0 - 2.0.0'",
    "npm i 'left-pad@1.0.0 || 2.0.0'",
    "npm i @scope/a",
    "npm i alias@npm:left-pad",
    "npm i a/b",
    "npx cowsay",
    "pip install requests",
    "pip install 'requests>=2'",
    "pip install 'requests~=2.0'",
    "pip install 'requests==2.*'",
    "pip install 'requests==2.0,>=1'",
    "pip install 'requests!=2.0'",
    "pip install git+https://github.com/a/b@main",
    "conda install 'numpy>=1.26'",
    "gem install rails -v '>= 7'",
    "gem install rails -v '~> 7.0'",
    "composer require 'a/b:^1.2'",
    "cargo install ripgrep",
    "go install example.com/x@latest",
    "dotnet add package X",
    "apt install curl",
    "apk add 'curl~=8.5'",
    "dnf install python3-devel",
    "brew install jq",
    "choco install git",
  ])("%s", (command) => expect(installs(command)).toMatch(/ false$/));
});

test("of a name that is not known nobody knows it", () => {
  expect(installs('npm i "$P"')).toMatch(/ \?$/);
  expect(installs('pip install "requests==$V"')).toMatch(/ \?$/);
});
