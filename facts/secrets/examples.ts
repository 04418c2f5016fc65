import type { DetectorExamples } from "./example-template.ts";
import { moreExamples } from "./examples-more.ts";

export type { DetectorExamples } from "./example-template.ts";
export { expandExample } from "./example-template.ts";

const pem = (kind: string, body: string): string =>
  `-----BEGIN ${kind}PRIVATE KEY-----\n${body}\n-----END ${kind}PRIVATE KEY-----`;

/** Examples of the detectors in the tables of clouds, services and general forms. */
const firstExamples: Readonly<Record<string, DetectorExamples>> = {
  "secrets/aws-access-key": {
    match: ["id: AKIA{U16}", "ASIA{U16},"],
    noMatch: ["AKIAIOSFODNN7EXAMPLE", "xAKIA{U16}", "AKIA{U15}"],
  },
  "secrets/aws-secret-key": {
    match: ["aws_secret_access_key = {b40}", '"SecretAccessKey": "{b40}"'],
    noMatch: [
      "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      "secret_key_length: 40",
      "sha of it: {h40}",
    ],
  },
  "secrets/aws-session-token": {
    match: ["aws_session_token={b300}", '"SessionToken": "{b200}"'],
    noMatch: ["session_token=short", "session_token: ${AWS_SESSION_TOKEN}"],
  },
  "secrets/aws-bedrock-key": { match: ["ABSK{A120}", "key=ABSK{A130}="], noMatch: ["ABSK", "ABSK{A40}"] },
  "secrets/google-api-key": { match: ["AIza{w35}", "?key=AIza{w35}&x"], noMatch: ["AIza", "AIza{A20}"] },
  "secrets/google-oauth-secret": {
    match: ["GOCSPX-{w28}", '"client_secret":"GOCSPX-{w28}"'],
    noMatch: ["GOCSPX-", "GOCSPX-{A10}"],
  },
  "secrets/google-oauth-token": { match: ["ya29.{w120}", "Bearer ya29.{w60}"], noMatch: ["ya29.", "ya29.{A8}"] },
  "secrets/azure-storage-key": {
    match: ["AccountName=x;AccountKey={b86}==;", "SharedAccessKey={b43}="],
    noMatch: ["AccountKey=<key>", "AccountKey=devstoreaccount1"],
  },
  "secrets/azure-client-secret": { match: [" abc8Q~{A34}", "secret=x.y7Q~{A31}"], noMatch: ["8Q~", "abc9Q~{A34}"] },
  "secrets/azure-sas": {
    match: ["https://x.blob.core.windows.net/c?sv=2024&sig={A43}%3D", "&sig={b44}"],
    noMatch: ["?sig=abc", "sig={A43}"],
  },
  "secrets/azure-devops-token": { match: ["{A76}AZDO{A4}", "pat: {A76}AZDO{A4}"], noMatch: ["AZDO", "{A20}AZDO{A4}"] },
  "secrets/digitalocean-token": { match: ["dop_v1_{h64}", "dor_v1_{h64}"], noMatch: ["dop_v1_{h10}", "dox_v1_{h64}"] },
  "secrets/heroku-token": { match: ["HRKU-{w60}", "HRKU-{h36}"], noMatch: ["HRKU-", "HRKU-{h8}"] },
  "secrets/heroku-key": {
    match: ["HEROKU_API_KEY={h8}-{h4}-{h4}-{h4}-{h12}", "heroku_key: '{h8}-{h4}-{h4}-{h4}-{h12}'"],
    noMatch: ["id={h8}-{h4}-{h4}-{h4}-{h12}", "heroku app"],
  },
  "secrets/datadog-key": {
    match: ["DD_API_KEY={h32}", 'datadog_app_key: "{h40}"'],
    noMatch: ["DD_API_KEY=abc", "md5={h32}"],
  },
  "secrets/databricks-token": { match: ["dapi{h32}", "token dapi{h32}-2"], noMatch: ["dapi", "dapi{h31}"] },
  "secrets/vault-token": { match: ["hvs.{w90}", "VAULT_TOKEN=hvb.{w120}"], noMatch: ["hvs.", "hvs.{A10}"] },
  "secrets/terraform-token": {
    match: ["{A14}.atlasv1.{A67}", "token = {A14}.atlasv1.{A64}"],
    noMatch: [".atlasv1.", "{A14}.atlasv1.{A20}"],
  },
  "secrets/pulumi-token": { match: ["pul-{h40}", "T=pul-{h40}"], noMatch: ["pul-", "pul-{h20}"] },
  "secrets/fly-token": { match: ["fo1_{A43}", "fm2_{b100}"], noMatch: ["fo1_{A10}", "fm2_"] },
  "secrets/cloudflare-ca-key": {
    match: ["v1.0-{h24}-{h146}", "key: v1.0-{h24}-{h146}"],
    noMatch: ["v1.0-rc1", "v1.0-{h24}"],
  },
  "secrets/planetscale-token": {
    match: ["pscale_tkn_{A43}", "pscale_pw_{A43}"],
    noMatch: ["pscale_tkn_", "pscale_x_{A43}"],
  },
  "secrets/supabase-key": { match: ["sbp_{h40}", "sb_secret_{A32}"], noMatch: ["sbp_{h10}", "sb_publishable_{A32}"] },
  "secrets/docker-token": { match: ["dckr_pat_{A27}", "dckr_oat_{A32}"], noMatch: ["dckr_pat_", "dckr_x_{A27}"] },
  "secrets/grafana-token": { match: ["glsa_{A32}_{h8}", "glc_{b80}"], noMatch: ["glsa_", "glc_{A8}"] },
  "secrets/new-relic-key": { match: ["NRAK-{U27}", "key=NRAK-{U27}"], noMatch: ["NRAK-", "NRAK-{U20}"] },
  "secrets/sentry-token": { match: ["sntrys_{A80}", "sntryu_{h64}"], noMatch: ["sntrys_", "sntryx_{A80}"] },
  "secrets/doppler-token": { match: ["dp.pt.{A43}", "dp.st.dev.{A43}"], noMatch: ["dp.pt.", "dp.xx.{A43}"] },
  "secrets/github-token": {
    match: ["ghp_{A36}", "https://x:ghs_{A36}@github.com", "gho_{A36}\n"],
    noMatch: ["ghp_{A35}", "ghx_{A36}", "ghp_"],
  },
  "secrets/github-fine-grained-token": {
    match: ["github_pat_{A22}_{A59}", "T=github_pat_{A22}_{A59}"],
    noMatch: ["github_pat_", "github_pat_{A22}"],
  },
  "secrets/gitlab-token": { match: ["glpat-{w20}", "glrt-{A24}"], noMatch: ["glpat-", "glxyz-{A20}"] },
  "secrets/bitbucket-token": { match: ["ATATT3{A180}", "ATCTT3{A180}"], noMatch: ["ATATT3", "ATATT3{A20}"] },
  "secrets/npm-token": {
    match: ["npm_{A36}", "//registry.npmjs.org/:_authToken=npm_{A36}"],
    noMatch: ["npm_config_registry", "npm_{A20}"],
  },
  "secrets/pypi-token": {
    match: ["pypi-AgE{A120}", "password = pypi-AgE{w90}"],
    noMatch: ["pypi-server", "pypi-AgE{A10}"],
  },
  "secrets/crates-token": { match: ["cio{A32}", 'token = "cio{A32}"'], noMatch: ["social", "cio{A31}"] },
  "secrets/rubygems-key": { match: ["rubygems_{h48}", "K: rubygems_{h48}"], noMatch: ["rubygems_", "rubygems_{h10}"] },
  "secrets/nuget-key": { match: ["oy2{L43}", "key oy2{L43}"], noMatch: ["oy2", "oy2{L10}"] },
  "secrets/buildkite-token": { match: ["bkua_{h40}", "t=bkua_{h40}"], noMatch: ["bkua_", "bkua_{h20}"] },
  "secrets/openai-key": { match: ["sk-proj-{w120}", "sk-{A20}T3BlbkFJ{A20}"], noMatch: ["sk-proj-", "sk-proj-{A5}"] },
  "secrets/anthropic-key": {
    match: ["sk-ant-api03-{w93}AA", "sk-ant-oat01-{w80}"],
    noMatch: ["sk-ant-", "sk-ant-api03-short"],
  },
  "secrets/openrouter-key": { match: ["sk-or-v1-{h64}", "k=sk-or-v1-{h64}"], noMatch: ["sk-or-v1-", "sk-or-v1-{h10}"] },
  "secrets/prefixed-key": {
    match: ["sk-{A24}", "pk-{A20}", "key=sk-{A48}"],
    noMatch: ["sk-", "task-{A24}", "sk-{A19}", "sk-xxxxxxxxxxxxxxxxxxxxxxxx"],
  },
  "secrets/hugging-face-token": { match: ["hf_{A34}", "api_org_{A34}"], noMatch: ["hf_hub_download", "hf_{A20}"] },
  "secrets/groq-key": { match: ["gsk_{A52}", "k=gsk_{A52}"], noMatch: ["gsk_", "gsk_{A20}"] },
  "secrets/perplexity-key": { match: ["pplx-{A48}", "k=pplx-{A48}"], noMatch: ["pplx-", "pplx-{A20}"] },
  "secrets/replicate-token": { match: ["r8_{A37}", "k=r8_{A37}"], noMatch: ["r8_", "r8_{A20}"] },
  "secrets/xai-key": { match: ["xai-{A80}", "k=xai-{A80}"], noMatch: ["xai-", "xai-{A20}"] },
  "secrets/slack-token": {
    match: [
      "xoxb-{d12}-{d12}-{A24}",
      "xapp-1-{U11}-{d13}-{h64}",
      "xoxc-{d12}-{d12}-{h32}",
      "d=xoxd-{A20}%2B{A30}%3D%3D; path=/",
      "xoxe.xoxp-1-{A40}",
    ],
    noMatch: ["xoxb-", "xoxz-{d12}-{A24}", "xoxb.{d12}"],
  },
  "secrets/slack-webhook": {
    match: [
      "https://hooks.slack.com/services/T{U8}/B{U8}/{A24}",
      "curl https://hooks.slack.com/workflows/T{U8}/A{U8}/{d18}/{A24}",
    ],
    noMatch: ["https://hooks.slack.com/", "https://hooks.slack.com/services/T/B/x"],
  },
  "secrets/stripe-key": {
    match: ["sk_live_{A24}", "rk_test_{A32}", "pk_live_{A24}"],
    noMatch: ["sk_live_", "sk_x_{A24}"],
  },
  "secrets/stripe-webhook-secret": { match: ["whsec_{A32}", "S=whsec_{A40}"], noMatch: ["whsec_", "whsec_{A8}"] },
  "secrets/sendgrid-key": { match: ["SG.{w22}.{w43}", "k=SG.{A22}.{A43}"], noMatch: ["SG.", "MSG.{A22}"] },
  "secrets/twilio-key": {
    match: ["SK{h32}", "sid: SK{h32}"],
    noMatch: ["SK", "TASK{h32}", "SK00000000000000000000000000000000"],
  },
  "secrets/mailgun-key": { match: ["key-{h32}", "api:key-{h32}"], noMatch: ["key-value", "key-{h10}"] },
  "secrets/mailchimp-key": { match: ["{h32}-us12", "k={h32}-us6"], noMatch: ["en-us", "{h10}-us12"] },
  "secrets/telegram-token": { match: ["{d10}:AA{w33}", "bot {d9}:AA{w33}"], noMatch: ["12:AAx", "{d10}:BB{w33}"] },
  "secrets/discord-token": {
    match: ["DISCORD_TOKEN=M{A23}.{A6}.{A27}", "Authorization: Bot N{A25}.{A6}.{A38}"],
    noMatch: ["discord.js", "M{A23}.{A6}.{A27}"],
  },
  "secrets/discord-webhook": {
    match: ["https://discord.com/api/webhooks/{d18}/{w68}", "https://ptb.discordapp.com/api/webhooks/{d18}/{w68}"],
    noMatch: ["https://discord.com/api/webhooks/", "https://discord.com/channels/{d18}/{d18}"],
  },
  "secrets/square-token": { match: ["EAAA{w60}", "sq0atp-{w22}"], noMatch: ["EAAA", "sq0idp-{w22}"] },
  "secrets/shopify-token": { match: ["shpat_{h32}", "shpss_{h32}"], noMatch: ["shpat_", "shpxx_{h32}"] },
  "secrets/linear-key": { match: ["lin_api_{A40}", "k=lin_api_{A40}"], noMatch: ["lin_api_", "lin_api_{A10}"] },
  "secrets/notion-token": { match: ["ntn_{d11}{A35}", "k=ntn_{d11}{A35}"], noMatch: ["ntn_", "ntn_{d11}"] },
  "secrets/figma-token": { match: ["figd_{w40}", "k=figd_{A43}"], noMatch: ["figd_", "figd_{A10}"] },
  "secrets/postman-key": { match: ["PMAK-{h24}-{h34}", "k=PMAK-{h24}-{h34}"], noMatch: ["PMAK-", "PMAK-{h24}"] },
  "secrets/age-key": {
    match: ["AGE-SECRET-KEY-1{B58}", "# k\nAGE-SECRET-KEY-1{B58}\n"],
    noMatch: ["AGE-SECRET-KEY-1", "age1{L58}"],
  },
  "secrets/private-key": {
    match: [
      pem("RSA ", "{b64}\n{b64}\n{b20}=="),
      pem("OPENSSH ", "{b70}\r\n{b70}"),
      pem("", "{b64}\\n{b30}"),
      pem("EC ", "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,{U32}\n\n{b64}"),
      "-----BEGIN PRIVATE KEY-----\n{b64}\n{b64}\n(cut)",
      "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{b64}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----",
    ],
    noMatch: [
      "-----BEGIN PUBLIC KEY-----\n{b64}\n-----END PUBLIC KEY-----",
      "the line -----BEGIN PRIVATE KEY----- begins a key and then comes its body",
      "-----BEGIN CERTIFICATE-----\n{b64}",
    ],
  },
  "secrets/putty-key": {
    match: ["Private-Lines: 2\n{b64}\n{b64}\nPrivate-MAC: x", "Private-Lines: 1\r\n{b60}"],
    noMatch: ["Private-Lines: 2", "Public-Lines: 2\n{b64}"],
  },
  "secrets/jwt": {
    match: ["eyJ{A20}.eyJ{w60}.{w43}", "token eyJ{A20}.eyJ{w900}.{w86}"],
    noMatch: ["eyJ{A20}", "eyJhbGciOi.x.y"],
  },
  "secrets/authorization-header": {
    match: ["Authorization: Bearer {A40}", "-H 'authorization: basic {A24}=='", '"Authorization": "token {h40}"'],
    noMatch: [
      "Authorization: Bearer <token>",
      "Authorization: Bearer ${TOKEN}",
      "Authorization: Bearer YOUR_API_TOKEN",
    ],
  },
  "secrets/url-password": {
    match: [
      "postgres://app:{A16}@db.internal:5432/app",
      "https://dev:{A12}@git.example.org/x.git",
      "redis://:{A20}@cache:6379",
    ],
    noMatch: [
      "postgres://user:password@localhost/db",
      "https://example.com:8080/x@y",
      "mysql://root:${DB_PASSWORD}@db",
      "https://user@host/x",
    ],
  },
  "secrets/connection-string": {
    match: ["Server=db;Database=app;User Id=sa;Password={A14};", "Host=db;Username=app;Password={A10}"],
    noMatch: ["Server=db;Database=app;Trusted_Connection=True", "Server=db;Password=<password>;"],
  },
  "secrets/environment-assignment": {
    match: ["API_KEY={A24}", "export DB_PASSWORD='{A12}'", "X=1\nSTRIPE_SECRET={A30}"],
    noMatch: [
      "API_KEY=",
      "API_KEY=changeme",
      "API_KEY=your_api_key_here",
      "API_KEY=<key>",
      "API_KEY=${KEY}",
      "API_KEY=$KEY",
      "TOKEN=xxxxxxxxxxxx",
      "PUBLIC_KEY=src/keys.ts",
    ],
  },
  "secrets/generic-key": {
    match: [
      '"api_key": "{A32}"',
      "token: '{A24}'",
      "config['client_secret'] = \"{A40}\"",
      "x-api-key: {h32}",
      "token={A24}$(date +%s)",
      "secret={A6}$$${A18}",
    ],
    noMatch: [
      "token = tokenizer.next1()",
      'api_key: "your-api-key-1234"',
      "secret: process.env.SECRET_1",
      "const token = parseToken1(input)",
      "token: string;",
      "apiKey: config.api.key1",
      "tokens: 128000",
      'secret_version: "{h8}-{h4}-{h4}-{h4}-{h12}"',
    ],
  },
  "secrets/generic-password": {
    match: ["password: hunter2-{A4}", '"passwd":"{A10}"', "pwd = '{A8}'"],
    noMatch: [
      "password: string",
      "password: changeme",
      "password = getpass1()",
      "password: ********",
      "pwd = /home/dev1",
      "password: password123",
    ],
  },
  "secrets/generic-line": {
    match: ["db:\n  password: S3cr3tPa&{A6}\n  port: 1", "DB_PASSWORD=aB3&{A4};Lm2!", "export API_TOKEN={A6}|{A8}\r\n"],
    noMatch: [
      "password: aB3x9kLm2",
      "token = parse1(value)",
      "token = read1(a),",
      "secret: Optional[str1]",
      "token=a1&&b2||c3;",
      "say password: S3cr3tPa&x9kLm2 to me",
      "secret=${VALUE1}/x",
      "key_token = a ? b1[c] : d",
    ],
  },
  "secrets/generic-quoted": {
    match: [
      'password = "S3cr$tPa&{A6}"',
      '"password": "aB3(x9k]{A4}",',
      "db_pass: 'p@ss;{A6},9X'",
      "api_key => `{A8}<0|{A8}>`",
      'token: \\"aZ9{{A10}\\"',
    ],
    noMatch: [
      'password = "aB3x9kLm2"',
      'secret: "${vault.path1}/key"',
      'token: "{{ token_1 }}"',
      'password: "$(pass show 1)"',
      'token = "a[0-9]+|b1(c)"',
      'token: "<token-1>"',
      'key_token: "parse1(value)"',
      "secret = 'one,two,three3'",
      'token: "a1&amp;b2c3d4"',
      'access_token: "a=1&b=2&c=3"',
      'api_key: "config[key_1]"',
      "password: 'two words, 9 marks'",
    ],
  },
};

/** Examples by detector id. */
export const detectorExamples: Readonly<Record<string, DetectorExamples>> = { ...firstExamples, ...moreExamples };
