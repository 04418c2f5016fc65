import type { About } from "./about.ts";
import { about } from "./about.ts";

/** Reference entries of functions on paths, URLs, commands and tool names. Class names are in the class tables. */
export const factAbout: Readonly<Record<string, readonly About[]>> = {
  glob: [
    about(
      "path.glob",
      "path.glob(string): bool",
      "True if the path matches; a pattern that is not absolute matches in any folder.",
      ['path("/srv/key.pem").glob("*.pem")', "true"],
    ),
    about("path.glob_any", "path.glob(list(string)): bool", "True if the path matches one of the globs.", [
      'path("/tmp/a/b").glob(["/var/**", "/tmp/**"])',
      "true",
    ]),
    about(
      "string.glob",
      "string.glob(string): bool",
      "True if the text matches; `*` stays between slashes, `**` crosses them.",
      ['"release/1.0".glob("release/*")', "true"],
      ['"release/1/0".glob("release/*")', "false"],
    ),
    about("string.glob_any", "string.glob(list(string)): bool", "True if the text matches one of the globs.", [
      '"main".glob(["main", "release/*"])',
      "true",
    ]),
  ],
  within: [
    about(
      "calls.within",
      "list(call).within(duration): int",
      "How many of the calls happened in the last span of event time.",
      ['session.calls({"tool": "bash"}).within(duration("10m"))', "0"],
    ),
    about(
      "path.within",
      "path.within(string): bool",
      "True if the path is the folder or lies beneath it.",
      ['path("/srv/app/x").within("/srv")', "true"],
      ['path("/srv2").within("/srv")', "false"],
    ),
    about("path.within_path", "path.within(path): bool", "As above, the folder being a path."),
    about("path.within_any", "path.within(list(string)): bool", "True if it lies in one of the folders.", [
      'path("/a/x").within(["/b", "/a"])',
      "true",
    ]),
    about(
      "timestamp.within",
      "timestamp.within(duration): bool",
      "True if the time lies at most so long before the event.",
      ['now.within(duration("1m"))', "true"],
    ),
  ],
  is: [
    about("path.is", "path.is(string): bool", "True if the path is of the class.", [
      'path("/").is("protected_root")',
      "true",
    ]),
    about(
      "url.is",
      "url.is(string): bool",
      "True if the URL's host is of the class.",
      ['url("http://127.0.0.1:80/").is("loopback")', "true"],
      ['url("http://0xa9.254.43518/").is("metadata")', "true"],
    ),
  ],
  host_in: [
    about(
      "string.host_in",
      "string.hostIn(list(string)): bool",
      "True if the host, or that of the URL that the text is, is one of these or a subdomain of one.",
      ['"api.example.com".hostIn(["example.com"])', "true"],
      ['"badexample.com".hostIn(["example.com"])', "false"],
      ['"https://api.example.com/x?y=z".hostIn(["example.com"])', "true"],
      ['"https://example.com@evil.test/".hostIn(["example.com"])', "false"],
    ),
    about("string.host_in_one", "string.hostIn(string): bool", "True if the host is this or a subdomain of it.", [
      '"example.com".hostIn("example.com")',
      "true",
    ]),
    about("url.host_in", "url.hostIn(list(string)): bool", "As above, for the URL's host.", [
      'url("https://example.com.evil.test").hostIn(["example.com"])',
      "false",
    ]),
    about("url.host_in_one", "url.hostIn(string): bool", "As above, for the URL's host."),
  ],
  lookalike_of: [
    about(
      "string.lookalike_of",
      "string.lookalikeOf(list(string)): bool",
      "True if the host is none of these, and yet looks like one: by its letters, or by holding the name of one.",
      ['"paypa1.com".lookalikeOf(["paypal.com"])', "true"],
      ['"www.paypal.com".lookalikeOf(["paypal.com"])', "false"],
      ['"github.com.evil.test".lookalikeOf(["github.com"])', "true"],
      ['"https://paypa1.com/login".lookalikeOf(["paypal.com"])', "true"],
    ),
    about(
      "string.lookalike_of_one",
      "string.lookalikeOf(string): bool",
      "True if the host is not this one, and yet looks like it.",
      ['"exarnple.com".lookalikeOf("example.com")', "true"],
    ),
    about(
      "url.lookalike_of",
      "url.lookalikeOf(list(string)): bool",
      "As above, for the URL's host; user information that names one of them counts too.",
      ['url("https://p\u0430ypal.com/x").lookalikeOf(["paypal.com"])', "true"],
      ['url("https://github.com@evil.test/").lookalikeOf(["github.com"])', "true"],
    ),
    about("url.lookalike_of_one", "url.lookalikeOf(string): bool", "As above, for the URL's host.", [
      'url("https://paypal.com/").lookalikeOf("paypal.com")',
      "false",
    ]),
  ],
  cidr: [
    about(
      "string.cidr",
      "string.cidr(list(string)): bool",
      "True if the address lies in one of the ranges; a name never does.",
      ['"10.1.2.3".cidr(["10.0.0.0/8"])', "true"],
      ['"http://10.1.2.3:8080/x".cidr(["10.0.0.0/8"])', "true"],
    ),
    about(
      "string.cidr_one",
      "string.cidr(string): bool",
      "True if the address lies in the range.",
      ['"example.com".cidr("10.0.0.0/8")', "false"],
      ['"10.0.0.1".cidr("ten")', "error"],
    ),
    about("url.cidr", "url.cidr(list(string)): bool", "As above, for the URL's host.", [
      'url("http://[fd00::1]/").cidr(["fc00::/7"])',
      "true",
    ]),
    about("url.cidr_one", "url.cidr(string): bool", "As above, for the URL's host."),
  ],
  has_option: [
    about(
      "command.has_option",
      "command.has_option(string): bool",
      "True if the option is given, by any of its spellings.",
      ['shell.commands[0].has_option("--recursive")', "true"],
    ),
  ],
  option: [
    about(
      "command.option",
      "command.option(string): optional(string)",
      "Value of the option, if it is given with one. Of an option that is given several times the last value counts.",
      ['shell.commands[0].option("-r").hasValue()', "false"],
    ),
  ],
  is_mcp: [
    about("string.is_mcp", "string.isMcp(): bool", "True for the name of an MCP tool.", [
      '"mcp__fs__move_file".isMcp()',
      "true",
    ]),
  ],
};
