import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { urlClass } from "../../../facts/network/classes.ts";
import { embeddedUrls } from "../../../facts/network/embedded.ts";
import {
  hostMixesScripts,
  hostSkeleton,
  isDataName,
  isLookalike,
  looksLikeOne,
  urlLooksLikeOne,
} from "../../../facts/network/hosts.ts";
import { hostIn, parseTarget, parseUrl } from "../../../facts/network/url.ts";
import type { UrlValue } from "../../../schema/facts.ts";
import { seed } from "../../properties/seed.ts";

function url(text: string): UrlValue {
  const parsed = parseTarget(text);
  if (!parsed) throw new Error(`no URL: ${text}`);
  return parsed;
}

describe("authorities that parsers read apart", () => {
  it.each([
    ["https://good.test\\@evil.test/"],
    ["https:\\\\good.test\\@evil.test"],
    ["https://good.test\t@evil.test"],
    ["https://good.test\0.evil.test/"],
    ["https://good.test%00.evil.test/"],
    ["https://good.test%0a.evil.test/"],
    ["https://good.test evil.test/"],
    ["https://good.test／evil.test/"],
    ["https://\u{1ccd6}.test/"],
    ["https://%F0%9C%B3%96.test/"],
    ["https://a\ud800.test/"],
  ])("%j is no URL that an allow-list could cover", (text) => expect(parseUrl(text)).toBeUndefined());

  it.each([
    ["//evil.test/good.test", "evil.test"],
    ["https:///evil.test/x", "evil.test"],
    ["https:evil.test/x", "evil.test"],
    ["https://good.test:80@evil.test:443/", "evil.test"],
    ["https://good.test%2f@evil.test/", "evil.test"],
    ["https://a@b@evil.test/", "evil.test"],
    ["https://evil.test#@good.test/", "evil.test"],
    ["https://evil.test?@good.test/", "evil.test"],
    ["https://good.test.../", "good.test"],
    ["https://evil。test/", "evil.test"],
    ["https://ev%69l.test/", "evil.test"],
  ])("%s goes to %s", (text, host) => {
    const parsed = parseTarget(text);
    expect(parsed === undefined || parsed.host === host).toBe(true);
    expect(hostIn(parsed?.host ?? "", ["good.test"])).toBe(host === "good.test" && parsed !== undefined);
  });
});

describe("forms of addresses", () => {
  it.each([
    ["http://169.254.169.254/", "metadata"],
    ["http://2852039166/", "metadata"],
    ["http://0xa9fea9fe/", "metadata"],
    ["http://0251.0376.0251.0376/", "metadata"],
    ["http://169.16689662/", "metadata"],
    ["http://[::ffff:169.254.169.254]/", "metadata"],
    ["http://[::169.254.169.254]/", "metadata"],
    ["http://[64:ff9b::169.254.169.254]/", "metadata"],
    ["http://[2002:a9fe:a9fe::1]/", "metadata"],
    ["http://[fd00:ec2:0:0:0:0:0:254]/", "metadata"],
    ["http://①⑥⑨.254.169.254/", "metadata"],
    ["http://169.254.169.254./", "metadata"],
    ["http://metadata.google.internal./", "metadata"],
    ["http://METADATA/", "metadata"],
    ["http://100.100.100.200/", "metadata"],
    ["http://a9fea9fe.nip.io/", "metadata"],
    ["http://www-169-254-169-254.sslip.io/", "metadata"],
    ["http://127.1/", "loopback"],
    ["http://0x7f000001/", "loopback"],
    ["http://017700000001/", "loopback"],
    ["http://[0:0:0:0:0:0:0:1]/", "loopback"],
    ["http://[::]/", "loopback"],
    ["http://7f000001.nip.io/", "loopback"],
    ["http://--1.sslip.io/", "loopback"],
    ["http://10.1/", "private"],
    ["http://[2002:c0a8:101::]/", "private"],
    ["http://8.8.8.8/", "address"],
    ["http://[2001:db8::1]/", "address"],
  ])("%s is %s", (text, name) => expect(urlClass(name, url(text))).toBe(true));

  it.each([
    ["http://8.8.8.8/", "metadata"],
    ["http://[2606:4700::1111]/", "private"],
    ["http://metadata.example.com/", "metadata"],
    ["http://deadbeef.example.com/", "private"],
    ["http://example.com/", "address"],
    ["http://cafe.nip.io/", "loopback"],
  ])("%s is not %s", (text, name) => expect(urlClass(name, url(text))).toBe(false));
});

describe("skeletons of hosts", () => {
  it.each([
    ["https://p\u0430ypal.com/", "paypal.com", true],
    ["https://xn--pypal-4ve.com/", "paypal.com", true],
    ["https://xn--80ak6aa92e.com/", "appie.com", false],
    ["https://bücher.example/", "bucher.example", false],
    ["https://例え.jp/", "例え.jp", false],
    ["https://example.com/", "example.com", false],
  ])("%s looks like %s", (text, skeleton, mixed) => {
    expect(hostSkeleton(url(text).host)).toBe(skeleton);
    expect(hostMixesScripts(url(text).host)).toBe(mixed);
  });

  it.each([
    ["https://p\u0430ypal.com/", true],
    ["https://xn--80ak6aa92e.com/", true],
    ["https://сосо.рф/", false],
    ["https://bücher.example/", false],
    ["https://日本語.jp/", false],
    ["https://пример.com/", false],
    ["https://example.com/", false],
  ])("%s passes for another: %s", (text, expected) => {
    expect(isLookalike(url(text).host)).toBe(expected);
    expect(urlClass("lookalike", url(text))).toBe(expected);
  });
});

describe("looking like a listed host", () => {
  const list = ["github.com", "*.example.com", "https://registry.npmjs.org/"];
  it.each([
    ["githüb.com", true],
    ["xn--gthub-cta.com", true],
    ["g1thub.com", true],
    ["api.g1thub.com", true],
    ["github.com.evil.test", true],
    ["github-com.evil.test", true],
    ["login.github.com-session.evil.test", true],
    ["exarnple.com", true],
    ["registry.npmjs.org.evil.test", true],
    ["xn--gthub-n4a.com", true],
    ["github.com", false],
    ["api.github.com", false],
    ["a.example.com", false],
    ["gitlab.com", false],
    ["github.io", false],
    ["mygithub.com", false],
    ["10.0.0.1", false],
    ["", false],
  ])("%s: %s", (host, expected) =>
    expect(looksLikeOne(url(host === "" ? "file:///x" : `https://${host}/`).host, list)).toBe(expected),
  );

  it.each([
    ["https://github.com@evil.test/", true],
    ["https://github.com:x@evil.test/", true],
    ["https://g1thub.com@evil.test/", true],
    ["https://user@github.com/", false],
    ["https://github.com@github.com/", false],
    ["https://jane.doe@evil.test/", false],
  ])("%s by its user information: %s", (text, expected) => expect(urlLooksLikeOne(url(text), list)).toBe(expected));

  it("takes a list of one label for a zone, not for a part of names", () => {
    expect(looksLikeOne("test.example.org", ["test"])).toBe(false);
  });
});

describe("names that carry data", () => {
  it.each([
    ["4a6f686e20446f652070617373776f7264.evil.test", true],
    ["krugkidrovuwg2zamjzg653oebtg66a.evil.test", true],
    ["aGVsbG8gd29ybGQgdGhpcyBpcw.evil.test", true],
    ["6c6f6e67.20736563.72657420.6b657920.evil.test", true],
    [`${"word-".repeat(11)}x.evil.test`, true],
    ["a.b.c.d.e.f.g.h.i.j.evil.test", true],
    ["example.com", false],
    ["d111111abcdef8.cloudfront.net", false],
    ["ec2-203-0-113-25.compute-1.amazonaws.com", false],
    ["my-company-production-logs-us-east-1.s3.amazonaws.com", false],
    ["fluffy-space-giggle-3000.app.github.dev", false],
    ["internationalization.example.com", false],
    ["xn--b1abfaaepdrnnbgefbadotcwatmq2g4l.example", false],
    ["1.0.168.192.in-addr.arpa", false],
    ["203.0.113.9", false],
    ["", false],
  ])("%s: %s", (host, expected) => expect(isDataName(host.toLowerCase())).toBe(expected));

  it("is a class of URLs", () =>
    expect(urlClass("data_name", url("dns://4a6f686e20446f652070617373776f7264.evil.test"))).toBe(true));
});

describe("URLs inside URLs", () => {
  it.each([
    ["https://proxy.test/?url=https%3A%2F%2Fevil.test%2Fx", ["evil.test"]],
    ["https://proxy.test/?url=https%253A%252F%252Fevil.test", ["evil.test"]],
    ["https://proxy.test/?a=1&next=http://one.test/&n=https://two.test:81/", ["one.test", "two.test"]],
    ["https://cdn.test/w=1/https://evil.test/i.png", ["evil.test"]],
    ["https://proxy.test/?u=http:/evil.test", ["evil.test"]],
    ["https://proxy.test/?u=http:%5C%5Cevil.test", ["evil.test"]],
    ["https://example.com/a?b=c", []],
    ["https://example.com/?q=%E0%A4%A", []],
    ["https://example.com/?q=https", []],
  ])("%s holds %j", (text, hosts) => expect(embeddedUrls(url(text)).map(({ host }) => host)).toEqual(hosts));

  it("finds at most sixteen", () => {
    const many = Array.from({ length: 40 }, (_, i) => `u=https://h${i}.test/`).join("&");
    expect(embeddedUrls(url(`https://proxy.test/?${many}`)).length).toBe(16);
  });
});

describe("canonical hosts", () => {
  it("are the same when read again", () => {
    const label = fc.stringMatching(/^[a-zA-Z0-9а-яü日①ｅ-]{1,8}$/);
    const host = fc.oneof(
      fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6().map((address) => `[${address}]`),
    );
    const scheme = fc.constantFrom("http", "https", "ssh", "ws");
    fc.assert(
      fc.property(scheme, host, fc.constantFrom("", ":80", ":8443"), (s, h, port) => {
        const first = parseUrl(`${s}://${h}${port}/a?b`);
        if (!first) return;
        const shown = first.host.includes(":") ? `[${first.host}]` : first.host;
        const again = parseUrl(`${s}://${shown}${first.port && `:${first.port}`}${first.path}?${first.query}`);
        expect({ ...again, text: "" }).toEqual({ ...first, text: "" });
        expect(hostSkeleton(hostSkeleton(first.host))).toBe(hostSkeleton(first.host));
        expect(hostIn(first.host, [first.host])).toBe(first.host !== "");
      }),
      { seed, numRuns: 300 },
    );
  });

  it("never throw, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const parsed = parseTarget(text) ?? parseUrl(`https://${text}`);
        if (!parsed) return;
        embeddedUrls(parsed);
        urlLooksLikeOne(parsed, ["github.com"]);
        for (const name of ["lookalike", "data_name", "address", "private"]) urlClass(name, parsed);
      }),
      { seed, numRuns: 500 },
    );
  });
});
