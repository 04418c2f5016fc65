import type { Detector } from "./detector.ts";
import { named, shape } from "./detector.ts";

const uuid = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}";

/** Keys of further clouds, databases and monitoring. Sources: each provider's documentation. */
export const dataRows: readonly Detector[] = [
  shape("alibaba-access-key", "Alibaba Cloud access key id", ["LTAI"], "LTAI[A-Za-z0-9]{12,22}\\b", {
    checks: "random",
    entropy: 3,
  }),
  named("alibaba-secret", "Alibaba Cloud secret", ["alibaba", "aliyun"], "[a-z0-9]{30}"),
  named("ibm-cloud-key", "IBM Cloud key", ["ibm", "bluemix"], "[a-z0-9_-]{44}"),
  shape("tencent-secret-id", "Tencent Cloud secret id", ["AKID"], "AKID[A-Za-z0-9]{32}\\b"),
  named("tencent-secret-key", "Tencent Cloud secret key", ["tencent", "qcloud"], "[a-z0-9]{32}"),
  shape("yandex-key", "Yandex Cloud key", ["AQVN"], "AQVN[A-Za-z0-9_-]{35,38}"),
  shape("scaleway-key", "Scaleway access key", ["SCW"], "SCW[A-Z0-9]{17}\\b", { checks: "random" }),
  named("scaleway-secret", "Scaleway secret key", ["scw_secret", "scaleway"], uuid),
  named("linode-token", "Linode token", ["linode"], "[a-f0-9]{64}"),
  named("vultr-key", "Vultr key", ["vultr"], "[a-z0-9]{36}"),
  named("hetzner-token", "Hetzner Cloud token", ["hcloud", "hetzner"], "[a-z0-9]{64}"),
  named("cloudflare-token", "Cloudflare token or key", ["cloudflare", "cf_api"], "(?:[a-z0-9_-]{40}|[a-f0-9]{37})"),
  shape("render-key", "Render key", ["rnd_"], "rnd_[A-Za-z0-9]{28,34}\\b", { checks: "random" }),
  named("railway-token", "Railway token", ["railway"], uuid),
  shape("netlify-token", "Netlify token", ["nfp_"], "nfp_[A-Za-z0-9]{36,40}\\b"),
  shape("vercel-token", "Vercel token", ["vcp_", "vci_", "vca_", "vcr_", "vck_"], "vc[piark]_[A-Za-z0-9]{40,90}\\b"),
  named("vercel-key", "Vercel token in its older form", ["vercel"], "[a-z0-9]{24}"),
  named("fastly-token", "Fastly token", ["fastly"], "[a-z0-9_-]{32}"),
  shape("google-refresh-token", "Google OAuth refresh token", ["1//0"], "1//0[A-Za-z0-9_-]{60,120}"),
  {
    id: "secrets/azure-service-key",
    title: "Key of an Azure service with its mark inside",
    pattern:
      "(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{30,76}(?:AzFu|AzSe|AzCa|APIM|ACDb|AIoT|\\+ASt|\\+AEh|\\+ASb|\\+ABa|\\+ACR|JQQJ99[A-Z0-9]{2}AC[A-Z0-9]{2}[A-Za-z0-9]{4,20}(?:AAAA|ACOG))[A-Za-z0-9+/]{4,12}={0,2})(?:[^A-Za-z0-9+/=]|$)",
    keywords: ["AzFu", "AzSe", "AzCa", "APIM", "ACDb", "AIoT", "+ASt", "+AEh", "+ASb", "+ABa", "+ACR", "JQQJ99"],
    confidence: "high",
    entropy: 4,
    checks: "random",
  },
  shape("openshift-token", "OpenShift token", ["sha256~"], "sha256~[A-Za-z0-9_-]{43}"),
  shape("rancher-token", "Rancher token", ["token-"], "token-[a-z0-9]{5}:[a-z0-9]{54}\\b"),
  named("confluent-secret", "Confluent secret", ["confluent"], "[a-z0-9+/]{64}"),
  shape("mongodb-atlas-secret", "MongoDB Atlas client secret", ["mdb_sa_sk_"], "mdb_sa_sk_[A-Za-z0-9_-]{40}"),
  shape("neon-key", "Neon key", ["napi_"], "napi_[a-z0-9]{50,70}\\b"),
  shape("neon-password", "Neon database password", ["npg_"], "npg_[A-Za-z0-9]{12,16}\\b", {
    checks: "random",
    entropy: 3,
  }),
  shape("clickhouse-key", "ClickHouse Cloud key", ["4b1d"], "4b1d[A-Za-z0-9]{38}\\b", {
    checks: "random",
    entropy: 3.8,
  }),
  shape("aiven-password", "Aiven service password", ["AVNS_"], "AVNS_[A-Za-z0-9_-]{16,24}"),
  shape("cockroach-key", "CockroachDB Cloud key", ["CCDB1_"], "CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}\\b"),
  named("snowflake-password", "Snowflake password", ["snowflake"], "[^\\s\"'`,;<>\\[\\](){}$|&\\\\]{10,100}", {
    checks: "mixed",
    name: "snowflake[_-]?(?:password|pwd|token|secret)",
  }),
  named("redis-password", "Redis password", ["redis"], "[^\\s\"'`,;<>\\[\\](){}$|&\\\\/:]{10,100}", {
    checks: "mixed",
    name: "redis[_-]?(?:auth|password|pass)",
  }),
  shape("dynatrace-token", "Dynatrace token", ["dt0"], "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}\\b"),
  shape("honeycomb-key", "Honeycomb key", ["hcaik_", "hcamk_", "hcxik_", "hcxmk_"], "hc[ax][im]k_[a-z0-9]{20,70}\\b"),
  shape("new-relic-license-key", "New Relic licence key", ["NRAL"], "[a-f0-9]{36}(?:FFFF)?NRAL\\b"),
  shape(
    "new-relic-ingest-key",
    "New Relic ingest key",
    ["NRII-", "NRJS-"],
    "NR(?:II-[A-Za-z0-9_-]{32}|JS-[a-f0-9]{19})\\b",
  ),
  named("pagerduty-key", "PagerDuty key", ["pagerduty", "pager_duty"], "(?:[a-z0-9_+-]{20}|[a-f0-9]{32})"),
  named("opsgenie-key", "Opsgenie key", ["opsgenie"], uuid),
  named("rollbar-token", "Rollbar token", ["rollbar"], "[a-f0-9]{32}"),
  named("sumologic-key", "Sumo Logic key", ["sumo"], "[a-z0-9]{64}"),
  named("splunk-token", "Splunk token", ["splunk"], uuid),
  shape("posthog-key", "PostHog personal key", ["phx_"], "phx_[A-Za-z0-9]{40,60}\\b"),
  shape("launchdarkly-key", "LaunchDarkly key", ["sdk-", "api-"], `(?:sdk|api)-${uuid}\\b`),
  shape("statsig-secret", "Statsig server secret", ["secret-"], "secret-[A-Za-z0-9]{43}\\b", { checks: "random" }),
  shape("axiom-token", "Axiom token", ["xaat-", "xapt-"], `xa(?:at|pt)-${uuid}\\b`),
  named("sentry-key", "Sentry auth token in its older form", ["sentry"], "[a-f0-9]{64}"),
  named("elastic-key", "Elasticsearch key", ["elastic"], "[a-z0-9_-]{50,64}={0,2}"),
];
