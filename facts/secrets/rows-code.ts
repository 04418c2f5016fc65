import type { Detector } from "./detector.ts";
import { named, shape } from "./detector.ts";

/** Keys of code hosts, builds, package registries and stores of secrets. Sources: each provider's documentation. */
export const codeRows: readonly Detector[] = [
  shape("bitbucket-app-password", "Bitbucket app password", ["ATBB"], "ATBB[A-Za-z0-9]{24,40}\\b"),
  named("gitea-token", "Gitea or Forgejo token", ["gitea", "forgejo"], "[a-f0-9]{40}"),
  shape("sourcegraph-token", "Sourcegraph token", ["sgp_"], "sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}\\b"),
  shape("circleci-token", "CircleCI token", ["CCIPAT_", "CCIPRJ_"], "CCIP(?:AT|RJ)_[A-Za-z0-9]{20,24}_[a-f0-9]{40}\\b"),
  named("travis-token", "Travis CI token", ["travis"], "[a-z0-9_-]{22}"),
  named("jenkins-token", "Jenkins token", ["jenkins"], "11[a-f0-9]{32}"),
  named("drone-token", "Drone token", ["drone"], "[a-z0-9]{32}"),
  named("codecov-token", "Codecov token", ["codecov"], "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
  shape("sonar-token", "SonarQube token", ["sqa_", "sqp_", "squ_"], "sq[apu]_[a-f0-9]{40}\\b"),
  named("snyk-token", "Snyk token", ["snyk"], "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"),
  shape(
    "artifactory-key",
    "Artifactory key",
    ["AKCp", "cmVmdGtu"],
    "(?:AKCp[A-Za-z0-9]{69}|cmVmdGtu[A-Za-z0-9]{56})\\b",
  ),
  {
    id: "secrets/npm-auth",
    title: "Password or token of a package registry",
    pattern: `_(?:authToken|auth|password)[ \\t]{0,4}=[ \\t]{0,4}["']?([A-Za-z0-9+/=_-]{16,400})(?:["'\\s]|$)`,
    keywords: ["_auth", "_password"],
    confidence: "high",
    entropy: 3,
    checks: "random",
    follows: "assignment",
  },
  {
    id: "secrets/container-registry-auth",
    title: "Credential in a container registry's settings",
    pattern: `"auth"[ \\t]{0,4}:\\s{0,8}"([A-Za-z0-9+/]{16,400}={0,2})"`,
    keywords: ['"auth"'],
    confidence: "high",
    entropy: 3,
    checks: "random",
  },
  {
    id: "secrets/netrc-password",
    title: "Password in a netrc file",
    pattern:
      "machine[ \\t]{1,4}[^\\s]{1,100}\\s{1,8}login[ \\t]{1,4}[^\\s]{1,100}\\s{1,8}password[ \\t]{1,4}([^\\s\\[\\]<>${}]{4,200})",
    keywords: ["machine"],
    confidence: "high",
    checks: "value",
  },
  shape("clojars-token", "Clojars token", ["CLOJARS_"], "CLOJARS_[a-z0-9]{60}\\b"),
  shape("unkey-key", "Unkey root key", ["unkey_"], "unkey_[A-Za-z0-9]{20,40}\\b", { checks: "random" }),
  shape(
    "onepassword-service-token",
    "1Password service account token",
    ["ops_eyJ"],
    "ops_eyJ[A-Za-z0-9_-]{200,800}={0,2}",
  ),
  shape(
    "onepassword-secret-key",
    "1Password secret key",
    ["A3-"],
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}\\b",
  ),
  shape("infisical-token", "Infisical token", ["st."], "st\\.[a-f0-9]{24}\\.[a-f0-9]{32}\\.[a-f0-9]{32}\\b"),
  shape("prefect-key", "Prefect key", ["pnu_", "pnb_"], "pn[ub]_[A-Za-z0-9]{36}\\b"),
  shape(
    "tailscale-key",
    "Tailscale key",
    ["tskey-"],
    "tskey-(?:auth-|api-|client-|scim-|webhook-)?[A-Za-z0-9]{6,20}-[A-Za-z0-9]{20,40}\\b",
  ),
  named("wireguard-key", "WireGuard key", ["PrivateKey", "PresharedKey"], "[a-z0-9+/]{42}[AEIMQUYcgkosw048]=", {
    confidence: "high",
    entropy: 3.5,
  }),
  named("laravel-key", "Laravel application key", ["APP_KEY"], "base64:[a-z0-9+/]{43}=", {
    confidence: "high",
    entropy: 3.5,
  }),
  {
    id: "secrets/password-hash",
    title: "Hash of a password",
    pattern:
      "(\\$(?:2[aby]\\$\\d{2}\\$[A-Za-z0-9./]{53}|[156]\\$(?:rounds=\\d{3,9}\\$)?[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{22,86}|apr1\\$[A-Za-z0-9./]{1,8}\\$[A-Za-z0-9./]{22}|g?y\\$[A-Za-z0-9./]{1,16}\\$[A-Za-z0-9./]{1,86}\\$[A-Za-z0-9./]{43}|argon2(?:id|i|d)\\$v=\\d{1,3}\\$m=\\d{1,9},t=\\d{1,4},p=\\d{1,4}\\$[A-Za-z0-9+/]{11,64}\\$[A-Za-z0-9+/]{16,128}))",
    keywords: ["$2a$", "$2b$", "$2y$", "$1$", "$5$", "$6$", "$apr1$", "$y$", "$gy$", "$argon2"],
    confidence: "medium",
    entropy: 3,
  },
];
