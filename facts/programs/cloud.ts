import { type Cloud, cloud, remoteShell } from "./cloud-client.ts";
import { aws, azure, gcloud, github } from "./cloud-major.ts";
import {
  aliasCopies,
  aliasReads,
  objectAccess,
  objectCopies,
  objectDeletes,
  objectRights,
  requests,
} from "./cloud-objects.ts";
import { optionList } from "./grammar.ts";
import { operate } from "./operations.ts";
import type { Effects, Program } from "./program.ts";
import { configured } from "./services.ts";
import { sqlMeaning, sqlStatements } from "./sql.ts";

/** A smaller client: verbs only, one address, names in operands or in `naming`. */
function service(
  names: string,
  system: string,
  host: string,
  options = "",
  naming: readonly string[] = [],
  more: Partial<Cloud> = {},
): Cloud {
  return {
    names,
    system,
    form: "verb",
    options: optionList(`-y --yes; --json; -q --quiet; -h --help; --debug; --verbose; ${options}`),
    naming,
    host: (words) => (/^(?:version|config|help|completion)$/.test(words[0] ?? "") ? "" : host),
    ...more,
  };
}

const clouds: readonly Cloud[] = [
  aws,
  gcloud,
  azure,
  github,
  service(
    "gsutil",
    "gcloud",
    "https://storage.googleapis.com/",
    "-m; -r -R; -a=; -h=; -o=; -d; -z=; -j=; -J; -n; -e; -c; -x=; -i=; -u=; -Z; -q; -D; -v; -A; -p",
    [],
    {
      special: new Map<string, Effects>([
        ["cp", objectCopies("gcloud")],
        ["mv", objectCopies("gcloud")],
        ["rsync", objectCopies("gcloud")],
        ["rm", objectDeletes("gcloud")],
        ["rb", objectDeletes("gcloud")],
        ...["iam ch", "iam set", "iam get", "acl ch", "acl set", "acl get", "defacl ch", "defacl set"].map(
          (verb) => [verb, objectRights] as const,
        ),
      ]),
    },
  ),
  service(
    "mc",
    "aws",
    "https://s3.amazonaws.com/",
    "-r --recursive; -f --force; -C --config-dir=; --dry-run; --remove; --overwrite; --older-than=; --newer-than=; --attr=; --storage-class=; --tags=; --name=; --larger=; --smaller=; --exclude=; -q --quiet; --json; -H --custom-header=; --limit-upload=; --limit-download=; --resolve=; --md5; --enc-kms=; --enc-s3=; --enc-c=; --retry-count=; --max-workers=; --monitoring-address=; --checksum=; --versions; --vid --version-id=; --rewind=",
    [],
    {
      special: new Map<string, Effects>([
        ...["cp", "mv", "mirror"].map((verb) => [verb, aliasCopies] as const),
        ...["rm", "rb"].map((verb) => [verb, objectDeletes("aws")] as const),
        ...["anonymous set", "policy set"].map((verb) => [verb, objectAccess] as const),
        ...["stat", "find", "cat", "head", "ls", "du", "tree", "diff"].map((verb) => [verb, aliasReads] as const),
      ]),
    },
  ),
  ...[
    [
      "s3cmd",
      `-n --dry-run; -c --config=; --delete-removed; -P --acl-public; --include=; --exclude=; --rexclude=; -m --mime-type=; --add-header=;
       --region=; --host=; --host-bucket=; --access_key=; --secret_key=; --storage-class=; --limit-rate=; --acl-private;
       --acl-grant=; --acl-revoke=; --exclude-from=; --include-from=; --default-mime-type=; --encoding=; --limit=; --max-delete=;
       --multipart-chunk-size-mb=; --expiry-date=; --expiry-days=; --website-index=; --website-error=; --remove-header=;
       --server-side-encryption-kms-id=; --cache-file=; --add-encoding-exts=; --bucket-location=; --signature-v2`,
    ],
    // Here `-n` keeps an object that exists.
    [
      "s5cmd",
      `-n --no-clobber; --dry-run; --endpoint-url=; --profile=; --credentials-file=; --numworkers=; --retry-count=; --log=; --acl=;
       --storage-class=; --include=; --exclude=; --cache-control=; --content-type=; --expires=; -c --concurrency=; -p --part-size=;
       --sse=; --source-region=; --destination-region=; --metadata=; --delete`,
    ],
  ].map(([name = "", options = ""]) =>
    service(name, "aws", "https://s3.amazonaws.com/", `-r --recursive; -f --force; ${options}`, [], {
      special: new Map<string, Effects>([
        ...["cp", "mv", "sync", "put", "get"].map((verb) => [verb, objectCopies("aws")] as const),
        ...["rm", "del", "rb"].map((verb) => [verb, objectDeletes("aws")] as const),
        ["setacl", objectAccess],
      ]),
    }),
  ),
  service(
    "glab",
    "gitlab",
    "https://gitlab.com/",
    "-R --repo=; -X --method=; -f --raw-field=; -F --field=; -t --title=; -d --description=; -b --target-branch=; -l --label=; --input=",
    [],
    {
      special: new Map<string, Effects>([["api", requests("gitlab", "gitlab.com/api/v4")]]),
      reveals: [[/^auth token$|^config get/, "~/.config/glab-cli/config.yml"]],
    },
  ),
  service(
    "heroku",
    "heroku",
    "https://api.heroku.com/",
    "-a --app=; -r --remote=; -t --team=; -c --confirm=; -n --num=; --tail; -s --shell",
    ["--app"],
    {
      reveals: [[/^auth:token$|^config$|^config:get$/, "~/.netrc"]],
      special: new Map<string, Effects>([["run", remoteShell]]),
    },
  ),
  service(
    "fly flyctl",
    "fly",
    "https://api.fly.io/",
    "-a --app=; -c --config=; -r --region=; -C --command=; -o --org=; -i --image=; --dockerfile=",
    ["--app"],
    {
      reveals: [[/^(?:auth token|tokens create)/, "~/.fly/config.yml"]],
      special: new Map<string, Effects>([["ssh console", remoteShell]]),
    },
  ),
  service(
    "vercel vc",
    "vercel",
    "https://api.vercel.com/",
    "-t --token=; -S --scope=; -A --local-config=; -e --env=; --cwd=; --prod",
    [],
    { reveals: [[/^env (?:pull|ls)$/, ""]] },
  ),
  service(
    "netlify ntl",
    "netlify",
    "https://api.netlify.com/",
    "-s --site=; --auth=; -d --dir=; -p --prod; -m --message=",
    ["--site"],
  ),
  service(
    "wrangler",
    "cloudflare",
    "https://api.cloudflare.com/",
    "-c --config=; -e --env=; --name=; --command=; --file=",
    ["--name"],
    {
      special: new Map<string, Effects>([
        [
          "d1 execute",
          (call) => {
            for (const text of call.values("--command"))
              for (const one of sqlStatements(text.text, "") ?? [])
                if (one.kind === "sql")
                  for (const target of sqlMeaning(one.tokens).targets)
                    call.to.config(`sql ${target}`, text.kind === "literal");
            for (const file of call.values("--file")) call.to.read(file);
            call.to.network("https://api.cloudflare.com/", "upload");
          },
        ],
      ]),
    },
  ),
  service(
    "firebase",
    "firebase",
    "https://firebase.googleapis.com/",
    "-P --project=; --token=; --only=; -f --force",
    [],
    { reveals: [[/^functions:(?:config:get|secrets:access)$/, ""]] },
  ),
  service(
    "doctl",
    "digitalocean",
    "https://api.digitalocean.com/",
    "-t --access-token=; --context=; -o --output=; -f --force; --format=",
    [],
    {
      reveals: [[/^auth (?:list|token)$/, "~/.config/doctl/config.yaml"]],
    },
  ),
  ...[
    ["linode-cli", "https://api.linode.com/"] as const,
    ["hcloud", "https://api.hetzner.cloud/"] as const,
    ["scw", "https://api.scaleway.com/"] as const,
  ].map(([name, host]) =>
    service(
      name,
      "cloud",
      host,
      "--token=; -o --output=; -f --force; --as-user=; --context=; --config=; --endpoint=; -p --profile=; --region=",
    ),
  ),
  service("railway", "railway", "https://backboard.railway.app/", "-s --service=; -e --environment=", ["--service"]),
  service("supabase", "supabase", "https://api.supabase.com/", "--project-ref=; --db-url=; --linked; --local", [
    "--project-ref",
  ]),
  ...["argocd", "velero", "flux", "rancher", "istioctl", "linkerd", "cilium"].map((name) =>
    service(
      name,
      name,
      configured(/^(?:argocd|rancher)$/.test(name) ? name : "kubernetes"),
      `-n --namespace=; --context --kube-context=; ${name === "istioctl" ? "-c " : ""}--kubeconfig=; --server=; --auth-token=; --config=; --confirm; --cascade`,
      [],
    ),
  ),
  service(
    "sam eb",
    "aws",
    "https://cloudformation.amazonaws.com/",
    "--stack-name=; --region=; --no-prompts; --force; --all; --profile=",
    ["--stack-name"],
  ),
  service(
    "oci",
    "oci",
    configured("oci"),
    "--bucket-name=; --force; --compartment-id=; --instance-id=; --region=; --profile=",
    ["--bucket-name", "--instance-id"],
  ),
  service("ibmcloud", "ibmcloud", "https://cloud.ibm.com/", "-g=; -f --force; -r=; -o=; --output=", [], {
    special: new Map<string, Effects>([
      ["resource group-delete", (call) => operate(call, "ibmcloud", "delete", "resource/group", call.operands)],
    ]),
  }),
  service("tea", "gitea", configured("gitea"), "-r --repo=; -l --login=; -o --output=; -R --remote="),
  service("stripe", "stripe", "https://api.stripe.com/", "--api-key=; -d --data=; --live", []),
  service("vault bao", "vault", configured("vault"), "-address=; -field=; -format=; -mount=", [], {
    reveals: [[/^(?:read|kv get|print token|token lookup|kv list)/, "~/.vault-token"]],
    special: new Map<string, Effects>(
      ["secrets", "auth"].map((what) => [
        `${what} disable`,
        (call) => operate(call, "vault", "delete", what, call.operands),
      ]),
    ),
  }),
  service("op", "1password", "https://my.1password.com/", "--account=; --vault=; --fields=; --format=", [], {
    reveals: [[/^(?:read|item get|inject|document get)/, "~/.config/op/config"]],
  }),
  service(
    "doppler infisical",
    "secrets",
    "https://api.doppler.com/",
    "-p --project=; -c --config=; -t --token=; --env=",
    [],
    {
      reveals: [[/^(?:secrets|configs tokens|export)/, "~/.doppler/.doppler.yaml"]],
    },
  ),
];

/** Clients of clouds and hosting services. Source: their command references; targets: `operate`. */
export const cloudPrograms: readonly Program[] = clouds.map(cloud);
