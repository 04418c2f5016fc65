import { describe, expect, it } from "vitest";
import { unitsOf } from "../../../facts/meter.ts";
import { inCidr, urlClass } from "../../../facts/network/classes.ts";
import { hostIn, parseTarget, parseUrl } from "../../../facts/network/url.ts";

describe("parseUrl", () => {
  it.each([
    [
      "https://Example.COM./a?b=c#d",
      { scheme: "https", host: "example.com", port: "", path: "/a", query: "b=c", userinfo: "" },
    ],
    ["https://user:pw@example.com:8443/", { host: "example.com", port: "8443", userinfo: "user:pw" }],
    ["https://github.com@evil.example/x", { host: "evil.example", userinfo: "github.com" }],
    ["http://0x7f.1/", { host: "127.0.0.1" }],
    ["http://2130706433/", { host: "127.0.0.1" }],
    ["http://0177.0.0.01/", { host: "127.0.0.1" }],
    ["http://[::1]:80/", { host: "::1" }],
    ["http://[::FFFF:127.0.0.1]/", { host: "::ffff:7f00:1" }],
    ["https:\\\\evil.example\\x", { host: "evil.example" }],
    ["ssh://git@Host.Example:22/x", { scheme: "ssh", host: "host.example", userinfo: "git" }],
    ["git://0x7f.1/x", { host: "127.0.0.1" }],
    ["https://ｅxample.com/", { host: "example.com" }],
    ["https://bücher.example/", { host: "xn--bcher-kva.example" }],
    ["file:///etc/passwd", { scheme: "file", host: "", path: "/etc/passwd" }],
    ["data:text/plain,x", { scheme: "data", host: "" }],
  ])("%s", (text, expected) => expect(parseUrl(text)).toMatchObject({ kind: "url", text, ...expected }));

  it.each([
    ["example.com"],
    ["/x"],
    [""],
    ["http://"],
    ["https://a\0b.example/"],
    ["https://a\n.example"],
    ["http://[::1"],
    ["https://a b/"],
  ])("%j is none", (text) => {
    expect(parseUrl(text)).toBeUndefined();
  });
});

/** Different letters, which Punycode writes in the square of their number. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, i) => String.fromCharCode(0x4e00 + ((i * 7) % 20_000))).join("");

describe("a host that is written as Punycode", () => {
  it.each([
    ["letters", (n: number) => letters(n)],
    ["letters in escapes", (n: number) => encodeURIComponent(letters(Math.ceil(n / 9))).slice(0, n - (n % 9))],
    ["Punycode", (n: number) => `xn--${"a9".repeat(n / 2)}`],
    ["marks on a letter", (n: number) => `a${"\u0315".repeat(n / 2)}${"\u0300".repeat(n / 2)}`],
  ])("is none if it is longer than any: %s", (_, host) => {
    for (const form of ["http://HOST/", "http://user@HOST:80/x", "ssh://HOST/", "git@HOST:x"])
      expect([form, parseTarget(form.replace("HOST", host(40_000)))]).toEqual([form, undefined]);
  });

  it("is paid for by its letters", () => {
    for (const count of [100, 1_000])
      expect(unitsOf(() => parseUrl(`http://${letters(count)}/`))).toBeGreaterThan(16 * count);
    expect(unitsOf(() => parseUrl(`http://${"a".repeat(2_000)}/`))).toBeLessThan(1_000);
  });

  it("may be long where the platform has nothing to map", () => {
    expect(parseUrl(`http://${"a.".repeat(4_000)}example/`)?.host).toMatch(/example$/);
    expect(parseUrl(`http://${"ä".repeat(8_000)}@host.example/`)?.host).toBe("host.example");
  });
});

describe("parseTarget", () => {
  it.each([
    ["git@github.com:owner/repo.git", { scheme: "ssh", host: "github.com", path: "/owner/repo.git", userinfo: "git" }],
    ["host.example:dir/file", { scheme: "ssh", host: "host.example", path: "/dir/file" }],
    ["host.example:8080", { scheme: "https", host: "host.example", port: "8080" }],
    ["host.example:8080/x", { host: "host.example", port: "8080", path: "/x" }],
    ["Example.com/path", { host: "example.com", path: "/path" }],
    ["localhost", { host: "localhost" }],
    ["//example.com/x", { host: "example.com" }],
    ["https://example.com", { host: "example.com", scheme: "https" }],
    ["user@host:22", { scheme: "ssh", host: "host", path: "/22" }],
    ["127.1", { host: "127.0.0.1" }],
    ["[::1]:x", { scheme: "ssh", host: "::1" }],
  ])("%s", (text, expected) => expect(parseTarget(text)).toMatchObject({ kind: "url", text, ...expected }));
  it("takes the scheme that the program assumes", () =>
    expect(parseTarget("example.com", "http")?.scheme).toBe("http"));
  it.each([[""], ["  "], ["a\0b"], ["/etc/passwd"]])("%j is none", (text) => expect(parseTarget(text)).toBeUndefined());
});

describe("hostIn", () => {
  it.each([
    ["example.com", ["example.com"], true],
    ["api.example.com", ["example.com"], true],
    ["badexample.com", ["example.com"], false],
    ["example.com.evil.net", ["example.com"], false],
    ["EXAMPLE.com.", ["example.com"], true],
    ["example.com", ["*.example.com"], false],
    ["a.b.example.com", ["*.example.com"], true],
    ["example.com", ["https://example.com/x"], true],
    ["example.com", ["example.com:443"], true],
    ["1.10.0.0.1", ["10.0.0.1"], false],
    ["10.0.0.1", ["10.0.0.1"], true],
    ["::1", ["[::1]"], true],
    ["::1", ["::1"], true],
    ["xn--bcher-kva.example", ["bücher.example"], true],
    ["", [""], false],
    ["example.com", [], false],
    ["example.com", ["com"], true],
    ["example.com", ["."], false],
  ])("%s in %j: %s", (host, patterns, expected) => expect(hostIn(host, patterns)).toBe(expected));
});

describe("urlClass", () => {
  it.each([
    ["http://localhost/", "loopback", true],
    ["http://app.localhost/", "loopback", true],
    ["http://127.8.9.1/", "loopback", true],
    ["http://0/", "loopback", true],
    ["http://[::1]/", "loopback", true],
    ["http://[::ffff:127.0.0.1]/", "loopback", true],
    ["http://127.0.0.1.nip.io/", "loopback", true],
    ["http://localhost.evil.com/", "loopback", false],
    ["http://10.1.2.3/", "private", true],
    ["http://172.31.0.1/", "private", true],
    ["http://172.32.0.1/", "private", false],
    ["http://192.168.1.1/", "private", true],
    ["http://[fd00::1]/", "private", true],
    ["http://[fe80::1]/", "private", true],
    ["http://db.internal/", "private", true],
    ["http://8.8.8.8/", "private", false],
    ["http://169.254.169.254/latest", "metadata", true],
    ["http://169.254.169.254/latest", "private", true],
    ["http://2852039166/", "metadata", true],
    ["http://metadata.google.internal/", "metadata", true],
    ["http://[fd00:ec2::254]/", "metadata", true],
    ["http://[64:ff9b::a9fe:a9fe]/", "metadata", true],
    ["http://example.com/", "metadata", false],
    ["file:///x", "loopback", false],
    ["http://example.com/", "toString", false],
  ])("%s is %s: %s", (text, name, expected) => {
    const url = parseUrl(text);
    expect(url && urlClass(name, url)).toBe(expected);
  });
});

describe("inCidr", () => {
  it.each([
    ["10.1.2.3", "10.0.0.0/8", true],
    ["11.1.2.3", "10.0.0.0/8", false],
    ["1.2.3.4", "0.0.0.0/0", true],
    ["::ffff:10.0.0.1", "10.0.0.0/8", true],
    ["2001:db8::1", "2001:db8::/32", true],
    ["2001:db9::1", "2001:db8::/32", false],
    ["x", "10.0.0.0/8", undefined],
    ["10.0.0.1", "10.0.0.0/33", undefined],
    ["10.0.0.1", "10.0.0.0", undefined],
    ["1.2.3.256", "10.0.0.0/8", undefined],
    ["1::2::3", "::/0", undefined],
  ])("%s in %s: %s", (address, range, expected) => expect(inCidr(address, range)).toBe(expected));
});
