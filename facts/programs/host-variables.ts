/**
 * Programs whose host is set by an option or a variable that their rows do not cover. A star at the end of a variable's name
 * matches any rest. Source: their manuals.
 */
const rows: readonly (readonly [programs: string, options: string, variables: string])[] = [
  [
    "psql pg_dump pg_dumpall pg_restore pg_isready pg_basebackup pgbench pgcli createdb dropdb createuser dropuser vacuumdb reindexdb",
    "",
    "PGHOST PGHOSTADDR",
  ],
  ["mysql mariadb mysqldump mariadb-dump mysqladmin mariadb-admin mysqlimport mysqlsh", "", "MYSQL_HOST"],
  ["influx", "-host --host", "INFLUX_HOST"],
  ["docker podman nerdctl docker-compose buildah skopeo", "", "DOCKER_HOST CONTAINER_HOST"],
  ["helm", "--kube-apiserver", "HELM_KUBEAPISERVER"],
  ["aws", "--endpoint-url", "AWS_ENDPOINT_URL*"],
  ["s3cmd s5cmd mc", "--host --endpoint-url", "S3_ENDPOINT_URL MC_HOST_*"],
  ["gcloud gsutil", "", "CLOUDSDK_API_ENDPOINT_OVERRIDES_*"],
  ["gh", "--hostname", "GH_HOST"],
  ["glab", "--hostname", "GITLAB_HOST GL_HOST"],
  ["vault bao", "-address --address -agent-address --agent-address", "VAULT_ADDR BAO_ADDR VAULT_AGENT_ADDR"],
  ["consul", "-http-addr --http-addr", "CONSUL_HTTP_ADDR"],
  ["nomad", "-address --address", "NOMAD_ADDR"],
  ["etcdctl", "--endpoints", "ETCDCTL_ENDPOINTS"],
  ["argocd", "--server", "ARGOCD_SERVER"],
  ["temporal", "--address", "TEMPORAL_ADDRESS"],
  ["nats", "-s --server", "NATS_URL"],
  ["kcat kafkacat", "-b", ""],
  ["kafka-topics kafka-console-producer kafka-console-consumer kafka-configs", "--bootstrap-server", ""],
  ["ollama", "", "OLLAMA_HOST"],
  ["hf huggingface-cli", "", "HF_ENDPOINT"],
  ["sentry-cli", "--url", "SENTRY_URL"],
  ["nc ncat netcat", "-x --proxy", ""],
  ["openssl", "-proxy", ""],
  ["pip pip3 pipx", "--proxy", ""],
  ["cargo", "--index", ""],
  ["gem", "-s --source -p --http-proxy", ""],
];

/** Options and variables that set the host of one program. */
export interface HostRow {
  readonly options: readonly string[];
  readonly variables: readonly string[];
}

const words = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");
const table: ReadonlyMap<string, HostRow> = new Map(
  rows.flatMap(([programs, options, variables]) => {
    const row: HostRow = { options: words(options), variables: words(variables) };
    return words(programs).map((name) => [name, row] as const);
  }),
);

/** Programs that take packages from where a variable says. */
const managers =
  /^(?:npm|npx|pnpm|pnpx|yarn|bun|bunx|pip|pip3|pipx|uv|uvx|poetry|pdm|rye|hatch|go|cargo|python3?|node|make)$/;
const registries =
  /^(?:npm_config_registry|yarn_(?:npm_)?registry(?:_server)?|bun_config_registry|pip_(?:extra_)?index_url|pip_find_links|uv_(?:default_|extra_)?index(?:_url)?|uv_find_links|goproxy|cargo_registries_\w+_index)$/i;
const proxies = /^(?:https?|all|ftp)_proxy$|^npm_config_(?:https?_)?proxy$/i;
const names = new Set([...table.values()].flatMap(({ variables }) => variables).filter((name) => !name.endsWith("*")));
const beginnings = [...table.values()]
  .flatMap(({ variables }) => variables)
  .filter((name) => name.endsWith("*"))
  .map((name) => name.slice(0, -1));

/** Returns how a program's host is set; undefined for one whose own row covers it. */
export function hostRow(program: string): HostRow | undefined {
  return table.get(program);
}

/** True for a variable that sets such a program's host. */
export function variablesOf({ variables }: HostRow, name: string): boolean {
  return variables.some((one) => (one.endsWith("*") ? name.startsWith(one.slice(0, -1)) : one === name));
}

/** True for a program that takes packages. */
export function isManager(program: string): boolean {
  return managers.test(program);
}

/** True for a variable that selects a source of packages. */
export function isRegistry(name: string): boolean {
  return registries.test(name);
}

/** True for a variable that sends all connections another way. */
export function isProxy(name: string): boolean {
  return proxies.test(name);
}

/** True for a variable that makes some program connect to another host. */
export function tellsHost(name: string): boolean {
  return (
    name.length <= 128 &&
    (names.has(name) || beginnings.some((one) => name.startsWith(one)) || isRegistry(name) || isProxy(name))
  );
}
