import type { DetectorExamples } from "./example-template.ts";
import { tokens, values } from "./example-template.ts";

const uuid = "{h8}-{h4}-{h4}-{h4}-{h12}";

const models: Readonly<Record<string, DetectorExamples>> = {
  "secrets/google-auth-key": tokens("AQ.Ab{w48}", "AQ.Ab{w8}"),
  "secrets/mistral-key": values("MISTRAL_API_KEY", "{A32}"),
  "secrets/cohere-key": values("cohere_api_key", "{A40}"),
  "secrets/deepseek-key": values("DEEPSEEK_KEY", "{h32}"),
  "secrets/together-key": values("TOGETHER_API_KEY", "{h64}"),
  "secrets/fireworks-key": tokens("fw_{A24}", "fw_{A9}"),
  "secrets/anyscale-key": tokens("esecret_{A40}", "esecret_{A9}"),
  "secrets/elevenlabs-key": tokens("sk_{h48}", "sk_{h20}"),
  "secrets/assemblyai-key": values("ASSEMBLYAI_API_KEY", "{h32}"),
  "secrets/deepgram-key": values("deepgram_key", "{h40}"),
  "secrets/pinecone-key": tokens("pcsk_{A6}_{A63}", "pcsk_{A6}_{A9}"),
  "secrets/voyage-key": tokens("pa-{w43}", "pa-{w20}"),
  "secrets/jina-key": tokens("jina_{h32}{w28}", "jina_{h32}"),
  "secrets/tavily-key": tokens("tvly-dev-{A32}", "tvly-{A9}"),
  "secrets/langsmith-key": tokens("lsv2_pt_{h32}_{h10}", "lsv2_pt_{h32}"),
  "secrets/langfuse-key": tokens(`sk-lf-${uuid}`, `pk-lf-${uuid}`),
  "secrets/wandb-key": values("WANDB_API_KEY", "{h40}"),
  "secrets/cerebras-key": tokens("csk-{L48}", "csk-{L20}"),
  "secrets/nvidia-key": tokens("nvapi-{w64}", "nvapi-{w20}"),
  "secrets/firecrawl-key": tokens("fc-{h32}", "fc-{h20}"),
  "secrets/zhipu-key": values("ZHIPU_API_KEY", "{h32}.{A16}"),
  "secrets/stability-key": values("stability_key", "sk-{A48}"),
  "secrets/ai21-key": values("AI21_API_KEY", "{A32}"),
  "secrets/portkey-key": tokens("pk-live-{A32}", "pk-live-{A9}"),
  "secrets/e2b-key": tokens("e2b_{h40}", "e2b_{h20}"),
  "secrets/cursor-key": tokens("crsr_{h64}", "crsr_{h20}"),
  "secrets/apify-token": tokens("apify_api_{A36}", "apify_api_{A9}"),
};

const code: Readonly<Record<string, DetectorExamples>> = {
  "secrets/bitbucket-app-password": tokens("ATBB{A32}", "ATBB{A9}"),
  "secrets/gitea-token": values("GITEA_TOKEN", "{h40}"),
  "secrets/sourcegraph-token": tokens("sgp_{h16}_{h40}", "sgp_{h16}"),
  "secrets/circleci-token": tokens("CCIPAT_{A22}_{h40}", "CCIPAT_{A22}"),
  "secrets/travis-token": values("TRAVIS_TOKEN", "{A22}"),
  "secrets/jenkins-token": values("jenkins_api_token", "11{h32}"),
  "secrets/drone-token": values("DRONE_TOKEN", "{A32}"),
  "secrets/codecov-token": values("CODECOV_TOKEN", uuid),
  "secrets/sonar-token": tokens("squ_{h40}", "squ_{h20}"),
  "secrets/snyk-token": values("SNYK_TOKEN", uuid),
  "secrets/artifactory-key": tokens("AKCp{A69}", "AKCp{A20}"),
  "secrets/npm-auth": {
    match: [`//registry.npmjs.org/:_authToken=${uuid}\n`, "_password={b24}=="],
    noMatch: ["_authToken=${NPM_TOKEN}", "_auth=", "//registry.npmjs.org/:always-auth=true"],
  },
  "secrets/container-registry-auth": {
    match: ['{"auths":{"x.io":{"auth":"{b30}=="}}}', '"auth": "{b40}"'],
    noMatch: ['"auth": "required"', '"author": "{b40}"'],
  },
  "secrets/netrc-password": {
    match: ["machine git.x.io login dev password {A16}", "machine x.io\n  login dev\n  password {A12}\n"],
    noMatch: ["machine x.io login dev password <password>", "the machine asks for a login and a password"],
  },
  "secrets/clojars-token": tokens("CLOJARS_{L60}", "CLOJARS_{L9}"),
  "secrets/unkey-key": tokens("unkey_{A24}", "unkey_{A9}"),
  "secrets/onepassword-service-token": tokens("ops_eyJ{w250}", "ops_eyJ{w20}"),
  "secrets/onepassword-secret-key": tokens("A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}", "A3-{U6}"),
  "secrets/infisical-token": tokens("st.{h24}.{h32}.{h32}", "st.{h24}.{h9}"),
  "secrets/prefect-key": tokens("pnu_{A36}", "pnu_{A9}"),
  "secrets/tailscale-key": tokens("tskey-auth-{A11}-{A32}", "tskey-auth-{A11}"),
  "secrets/wireguard-key": {
    match: ["PrivateKey = {b42}A=", "[Peer]\nPresharedKey = {b42}4=\n"],
    noMatch: ["PublicKey = {b42}A=", "PrivateKey = <key>"],
  },
  "secrets/laravel-key": {
    match: ["APP_KEY=base64:{b43}=", 'APP_KEY="base64:{b43}="'],
    noMatch: ["APP_KEY=", "APP_KEY=base64:", "base64:{b43}="],
  },
  "secrets/password-hash": {
    match: [
      "root:$6${A16}${A86}:19000",
      'hash = "$2b$12${A53}"',
      "$argon2id$v=19$m=65536,t=3,p=4${b22}${b43}",
      "dev:$y$j9T${A22}${A43}:19000",
      "dev:$apr1${A8}${A22}",
    ],
    noMatch: ["cost $1$ and $2$", "$x$ and $y$ on $apr1$", "$6$rounds=5000$", "$2b$12$short"],
  },
};

const products: Readonly<Record<string, DetectorExamples>> = {
  "secrets/teams-webhook": {
    match: [
      `https://acme.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/{h32}/${uuid}`,
      `url: "https://a-b.webhook.office.com/webhookb2/${uuid}@${uuid}/IncomingWebhook/{h32}/${uuid}"`,
    ],
    noMatch: ["https://acme.webhook.office.com/webhookb2/", "https://office.com/webhook"],
  },
  "secrets/facebook-token": tokens("EAAB{A120}", "EAAB{A30}"),
  "secrets/twitter-bearer-token": tokens("AAAAAAAAAAAAAAAAAAAAAA{A9}%2B{A60}", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"),
  "secrets/twitch-token": values("TWITCH_TOKEN", "{A30}"),
  "secrets/line-token": values("LINE_CHANNEL_TOKEN", "{b172}"),
  "secrets/mattermost-token": values("mattermost_token", "{A26}"),
  "secrets/zoom-secret": values("ZOOM_CLIENT_SECRET", "{A32}"),
  "secrets/intercom-token": values("intercom_token", "dG9rO{A55}"),
  "secrets/braintree-token": {
    match: ["access_token$production${L16}${h32}", 'token("access_token$sandbox${L16}${h32}")'],
    noMatch: ["access_token$production$", "access_token$live${L16}${h32}"],
  },
  "secrets/paypal-secret": values("PAYPAL_SECRET", "E{w79}"),
  "secrets/adyen-key": tokens("AQEyhmfuXNWTK0Qc+{b90}", "AQEyhmfuXNWTK0Qc+"),
  "secrets/razorpay-key": tokens("rzp_live_{A14}", "rzp_live_{A9}"),
  "secrets/flutterwave-key": tokens("FLWSECK-{A32}-X", "FLWSECK-{A9}-X"),
  "secrets/mollie-key": tokens("live_{A30}", "live_{A9}"),
  "secrets/plaid-token": tokens(`access-sandbox-${uuid}`, `access-${uuid}`),
  "secrets/shippo-token": tokens("shippo_live_{h40}", "shippo_live_{h9}"),
  "secrets/easypost-key": tokens("EZAK{A54}", "EZAK{A9}"),
  "secrets/duffel-token": tokens("duffel_test_{w43}", "duffel_test_{w9}"),
  "secrets/coinbase-secret": values("COINBASE_API_SECRET", "{A64}"),
  "secrets/brevo-key": tokens("xkeysib-{h64}-{A16}", "xkeysib-{h64}"),
  "secrets/resend-key": tokens("re_{A8}_{A24}", "re_{A8}"),
  "secrets/postmark-token": values("POSTMARK_SERVER_TOKEN", uuid),
  "secrets/mailersend-token": tokens("mlsn.{h64}", "mlsn.{h9}"),
  "secrets/klaviyo-key": tokens("pk_{h34}", "pk_{h9}"),
  "secrets/mailjet-secret": values("MAILJET_SECRET", "{h32}"),
  "secrets/twilio-auth-token": values("TWILIO_AUTH_TOKEN", "{h32}"),
  "secrets/asana-token": {
    match: ["1/{d16}:{h32}", "token 2/{d16}/{d16}:{h32}"],
    noMatch: ["1/2", "1/{d16}:{h9}"],
  },
  "secrets/airtable-token": tokens("pat{A14}.{h64}", "pat{A14}.{h9}"),
  "secrets/clickup-token": tokens("pk_{d8}_{U32}", "pk_{d8}_{U9}"),
  "secrets/hubspot-token": tokens(`pat-na1-${uuid}`, `pat-xx1-${uuid}`),
  "secrets/zendesk-token": values("ZENDESK_API_TOKEN", "{A40}"),
  "secrets/contentful-token": tokens("CFPAT-{w43}", "CFPAT-{w9}"),
  "secrets/dropbox-token": tokens("sl.{w140}", "sl.{w30}"),
  "secrets/typeform-token": tokens("tfp_{A44}", "tfp_{A9}"),
  "secrets/readme-key": tokens("rdme_{L70}", "rdme_{L9}"),
  "secrets/trello-token": tokens("ATTA{A72}", "ATTA{A9}"),
  "secrets/notion-secret": tokens("secret_{A43}", "secret_{A9}"),
  "secrets/salesforce-token": tokens("00D{A12}!{A90}", "00D{A12}!{A9}"),
  "secrets/mapbox-token": tokens("sk.eyJ{w60}.{w22}", "sk.eyJ{w9}"),
  "secrets/shopify-access-token": tokens("shpua_{h32}", "shpua_{h9}"),
  "secrets/okta-token": values("OKTA_API_TOKEN", "00{w40}"),
  "secrets/auth0-secret": values("AUTH0_CLIENT_SECRET", "{w64}"),
  "secrets/algolia-key": values("ALGOLIA_ADMIN_KEY", "{h32}"),
  "secrets/linear-oauth-token": tokens("lin_oauth_{h64}", "lin_oauth_{h9}"),
};

const data: Readonly<Record<string, DetectorExamples>> = {
  "secrets/alibaba-access-key": tokens("LTAI{A20}", "LTAI{A9}"),
  "secrets/alibaba-secret": values("ALIBABA_CLOUD_SECRET", "{A30}"),
  "secrets/ibm-cloud-key": values("IBM_CLOUD_API_KEY", "{w44}"),
  "secrets/tencent-secret-id": tokens("AKID{A32}", "AKID{A9}"),
  "secrets/tencent-secret-key": values("TENCENT_SECRET_KEY", "{A32}"),
  "secrets/yandex-key": tokens("AQVN{w36}", "AQVN{w9}"),
  "secrets/scaleway-key": tokens("SCW{U17}", "SCW{U9}"),
  "secrets/scaleway-secret": values("SCW_SECRET_KEY", uuid),
  "secrets/linode-token": values("LINODE_TOKEN", "{h64}"),
  "secrets/vultr-key": values("VULTR_API_KEY", "{U36}"),
  "secrets/hetzner-token": values("HCLOUD_TOKEN", "{A64}"),
  "secrets/cloudflare-token": values("CLOUDFLARE_API_TOKEN", "{w40}"),
  "secrets/render-key": tokens("rnd_{A32}", "rnd_{A9}"),
  "secrets/railway-token": values("RAILWAY_TOKEN", uuid),
  "secrets/netlify-token": tokens("nfp_{A40}", "nfp_{A9}"),
  "secrets/vercel-token": tokens("vcp_{A60}", "vcp_{A9}"),
  "secrets/vercel-key": values("VERCEL_TOKEN", "{A24}"),
  "secrets/fastly-token": values("FASTLY_API_TOKEN", "{w32}"),
  "secrets/google-refresh-token": {
    match: ["1//0{w90}", '"refresh_token": "1//0{w70}"'],
    noMatch: ["1//0", "1//0{w20}"],
  },
  "secrets/azure-service-key": {
    match: ["{A42}AzSeA{A5}", '"{A76}+AStA{A5}==",'],
    noMatch: ["{A20}AzSeA{A5}", "AzSe", "{b90}AzSe{b90}"],
  },
  "secrets/openshift-token": tokens("sha256~{w43}", "sha256~{w9}"),
  "secrets/rancher-token": tokens("token-{L5}:{L54}", "token-{L5}:{L9}"),
  "secrets/confluent-secret": values("CONFLUENT_SECRET", "{A64}"),
  "secrets/mongodb-atlas-secret": tokens("mdb_sa_sk_{w40}", "mdb_sa_sk_{w9}"),
  "secrets/neon-key": tokens("napi_{L64}", "napi_{L9}"),
  "secrets/neon-password": tokens("npg_{A12}", "npg_{A5}"),
  "secrets/clickhouse-key": tokens("4b1d{A38}", "4b1d{A9}"),
  "secrets/aiven-password": tokens("AVNS_{w19}", "AVNS_{w9}"),
  "secrets/cockroach-key": tokens("CCDB1_{A22}_{A40}", "CCDB1_{A22}"),
  "secrets/snowflake-password": values("SNOWFLAKE_PASSWORD", "{A16}"),
  "secrets/redis-password": values("redis_password", "{A16}"),
  "secrets/dynatrace-token": tokens("dt0c01.{U24}.{U64}", "dt0c01.{U24}"),
  "secrets/honeycomb-key": tokens("hcaik_{L58}", "hcaik_{L9}"),
  "secrets/new-relic-license-key": tokens("{h36}NRAL", "{h20}NRAL"),
  "secrets/new-relic-ingest-key": tokens("NRII-{w32}", "NRII-{w9}"),
  "secrets/pagerduty-key": values("PAGERDUTY_TOKEN", "{A20}"),
  "secrets/opsgenie-key": values("OPSGENIE_API_KEY", uuid),
  "secrets/rollbar-token": values("ROLLBAR_TOKEN", "{h32}"),
  "secrets/sumologic-key": values("SUMO_ACCESS_KEY", "{A64}"),
  "secrets/splunk-token": values("SPLUNK_HEC_TOKEN", uuid),
  "secrets/posthog-key": tokens("phx_{A43}", "phx_{A9}"),
  "secrets/launchdarkly-key": tokens(`sdk-${uuid}`, `mob-${uuid}`),
  "secrets/statsig-secret": tokens("secret-{A43}", "secret-{A9}"),
  "secrets/axiom-token": tokens(`xaat-${uuid}`, `xaxx-${uuid}`),
  "secrets/sentry-key": values("SENTRY_AUTH_TOKEN", "{h64}"),
  "secrets/elastic-key": values("ELASTIC_API_KEY", "{A60}"),
};

const places: Readonly<Record<string, DetectorExamples>> = {
  "secrets/cookie": {
    match: ["Cookie: theme=dark; session={A32}", "set-cookie: auth_token={w40}; Path=/; HttpOnly"],
    noMatch: ["Cookie: theme=dark; lang=en", "Cookie: session=<session>", "cookieSession = createSession()"],
  },
  "secrets/session-id": {
    match: ["PHPSESSID={L26};", "https://x.io/a;jsessionid={U32}?b=1"],
    noMatch: ["sessionid=12345", "JSESSIONID=${sessionid}"],
  },
  "secrets/bearer-token": {
    match: ["curl -H 'Auth: Bearer {A40}'", "bearer {w60}"],
    noMatch: ["Bearer token authentication", "Bearer <your-access-token>", "Bearer $ACCESS_TOKEN"],
  },
  "secrets/key-header": {
    match: ["X-Api-Key: {A32}", "-H 'x-vault-token: {A30}'"],
    noMatch: ["X-Api-Key: YOUR_API_KEY", "x-api-key: ${KEY}"],
  },
  "secrets/jdbc-password": {
    match: ["jdbc:postgresql://db:5432/app?user=app&password={A12}", "jdbc:sqlserver://db;user=sa;password={A14};"],
    noMatch: ["jdbc:postgresql://db:5432/app", "jdbc:mysql://db/app?password=${PASSWORD}"],
  },
  "secrets/url-query": {
    match: ["https://x.io/v1?api_key={A32}&q=1", "GET /cb?state=1&access_token={w60}"],
    noMatch: ["https://x.io/v1?api_key=YOUR_API_KEY", "?token={token}&x=1", "/list?key=name"],
  },
  "secrets/command-password": {
    match: ["deploy --token {A24} prod", "login --password='{A12}'"],
    noMatch: ["deploy --token $TOKEN", "read the --password-stdin option", "login --password <password>"],
  },
  "secrets/command-user": {
    match: ["curl -u dev:{A14} https://x.io", "http --user ci:{A20} x.io"],
    noMatch: ["curl -u user:password https://x.io", "docker run -u 1000:1000 x", "tool -u name"],
  },
  "secrets/markup-password": {
    match: ["<password>{A12}</password>", "<ApiKey> {A32} </ApiKey>"],
    noMatch: ["<password>${db.password}</password>", "<token>string</token>", "<password></password>"],
  },
  "secrets/markup-setting": {
    match: ['<add key="DbPassword" value="{A14}" />', '<property name="client.secret" value="{A32}"/>'],
    noMatch: ['<add key="DbPassword" value="" />', '<property name="db.password" value="${db.password}"/>'],
  },
  "secrets/wordpress-salt": {
    match: ["define('AUTH_KEY', '{A64}');", 'define( "DB_PASSWORD", "{A16}" );'],
    noMatch: ["define('WP_DEBUG', true);", "define('DB_PASSWORD', 'password');"],
  },
  "secrets/sql-password": {
    match: ["CREATE USER app IDENTIFIED BY '{A14}';", "ALTER ROLE app WITH PASSWORD '{A12}'"],
    noMatch: ["CREATE USER app IDENTIFIED BY 'password';", "SELECT password FROM users"],
  },
};

const personal: Readonly<Record<string, DetectorExamples>> = {
  "pii/card": {
    match: ["card 4539 1488 0343 6467 ok", "4242 4242 4242 4242", "5425233430109903", "amex: 374245455400126"],
    noMatch: ["4539 1488 0343 6468", "1234567890123", "0000 0000 0000 0000", "order 4539148803436467123456"],
  },
  "pii/iban": {
    match: ["IBAN DE89 3704 0044 0532 0130 00", "GB82WEST12345698765432"],
    noMatch: ["DE88 3704 0044 0532 0130 00", "NO12 is a room", "SE123456"],
  },
  "pii/email": {
    match: ["write to jo.doe@mail-host.org", "<a@b.co>"],
    noMatch: ["user@localhost", "npm i @scope/name", "git@", "react@18.2.0"],
  },
  "pii/phone": {
    match: ["call +49 30 1234567", "tel: (415) 555-0132"],
    noMatch: ["1 + 2", "2026-11-21", "f(415)"],
  },
  "pii/ssn": {
    match: ["SSN 219-09-9998", "ssn=457-55-5462"],
    noMatch: ["000-12-3456", "666-12-3456", "219-00-9999", "2026-11-21"],
  },
};

/** Examples of the detectors in the other tables, by id. */
export const moreExamples: Readonly<Record<string, DetectorExamples>> = {
  ...models,
  ...code,
  ...products,
  ...data,
  ...places,
  ...personal,
};
