import { isSlip } from "../../diagnostics/suggest.ts";
import { type Claim, textValues } from "./claims.ts";
import type { LintedRule } from "./policy.ts";

/** Hosts that many machines trust, and that others imitate. */
const hosts: readonly string[] =
  `registry.npmjs.org npmjs.com registry.yarnpkg.com jsr.io pypi.org pypy.org files.pythonhosted.org pythonhosted.org conda.anaconda.org
   crates.io static.crates.io rubygems.org proxy.golang.org sum.golang.org repo.maven.apache.org repo1.maven.org plugins.gradle.org
   packagist.org nuget.org api.nuget.org registry-1.docker.io docker.io hub.docker.com ghcr.io quay.io mcr.microsoft.com
   github.com api.github.com raw.githubusercontent.com objects.githubusercontent.com githubusercontent.com gitlab.com bitbucket.org
   dev.azure.com deb.debian.org archive.ubuntu.com security.ubuntu.com dl-cdn.alpinelinux.org googleapis.com storage.googleapis.com
   amazonaws.com s3.amazonaws.com azure.com login.microsoftonline.com cloudflare.com api.cloudflare.com huggingface.co
   api.openai.com api.anthropic.com api.stripe.com stripe.com slack.com hooks.slack.com api.slack.com app.slack.com sentry.io api.telegram.org`
    .split(/\s+/)
    .filter((host) => host !== "");

const known: ReadonlySet<string> = new Set(hosts);

const whole: ReadonlySet<string> = new Set(["equals", "in", "host_in"]);

/** A host that a rule trusts, one typing error away from one that everybody trusts. */
export interface OddTrust {
  readonly text: string;
  readonly index: number;
  readonly near: string;
}

/** Lists hosts that a condition lets through and whose names are near those of well-known ones. */
export function oddlyTrusted(claim: Claim, rule: LintedRule | undefined): readonly OddTrust[] {
  const { field, operator, part, negated } = claim;
  if ((field !== "url.host" && field !== "url") || !whole.has(operator)) return [];
  const isWaiver = part === "unless" || part === "exception" || (part === "when" && rule?.does("allow"));
  // A rule that stops traffic may list the imitations.
  if (negated === isWaiver) return [];
  const texts = textValues(claim);
  const beside = new Set(texts.map(({ text }) => text.toLowerCase()));
  return texts.flatMap(({ text, index }) => {
    const host = text.toLowerCase().replace(/^\*\./, "");
    if (host.length < 8 || known.has(host)) return [];
    const near = hosts.find((one) => one.length >= 8 && isSlip(host, one) && !beside.has(one));
    return near === undefined ? [] : [{ text, index, near }];
  });
}
