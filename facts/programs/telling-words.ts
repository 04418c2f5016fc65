/**
 * Words that decide what a program does: each is supposed in the place of an unknown word (decision 29). Names of subcommands
 * and flags are not listed, because the rows have them. A word that only names the file, host or package is not one of these,
 * because its unknown part is in the effect itself.
 */
export interface TellingWords {
  /** Words at the place of an operand, also of a subcommand that no row has. */
  readonly operands: readonly string[];
  /** The same behind one subcommand alone, by its name. */
  readonly below: ReadonlyMap<string, readonly string[]>;
  /** Words that are the value of an option, by its names. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Options beside the flags of the rows; one that ends in `=` takes a value, also unknown. */
  readonly options: readonly string[];
}

type Lists = Readonly<Record<string, readonly string[]>>;
type Row = readonly [programs: string, operands: readonly string[], values?: Lists, below?: Lists];

const address = "https://example.com/x";
const everyone = ["public-read", "public", "allUsers", "0.0.0.0/0", "*"];
const sql = ["DROP DATABASE x", "DROP TABLE x", "DELETE FROM x", "GRANT ALL ON x TO y", "COPY x TO PROGRAM 'y'"];
const mongo = ["db.dropDatabase()", "db.x.drop()", "db.x.deleteMany({})", "db.grantRolesToUser('x', [])"];
const mount = ["/:/host", "/var/run/docker.sock:/x", "type=bind,source=/,target=/host"].concat(
  "type=bind,source=/var/run/docker.sock,target=/x",
);
const containerValues = {
  "--pid --network --net --ipc --userns --uts --cgroupns": ["host"],
  "--cap-add": words("ALL SYS_ADMIN SYS_PTRACE NET_ADMIN NET_RAW DAC_READ_SEARCH"),
  "--security-opt": ["seccomp=unconfined", "apparmor=unconfined", "label=disable"],
  "--device": ["/dev/mem", "/dev/sda"],
  "-v --volume --mount": mount,
};
const settings = words("core.hooksPath=x core.pager=x core.sshCommand=x core.fsmonitor=x alias.x=!x url.x.insteadOf=y");

const rows: readonly Row[] = [
  ["chmod", ["u+s", "4755", "777"]],
  ["install", [], { "-m --mode": ["4755"] }],
  ["dd", ["of=/dev/sda"]],
  ["ip", words("set flush del")],
  ["schtasks", ["/create"]],
  [
    "systemctl",
    words("stop kill poweroff reboot halt isolate disable mask enable restart start set-environment LD_PRELOAD=/x.so"),
  ],
  ["launchctl", words("bootout unload kill setenv load bootstrap")],
  ["tmux", words("set-environment NODE_OPTIONS send-keys run-shell")],
  ["security", words("find-generic-password find-internet-password dump-keychain export")],
  ["pass", words("show rm insert generate")],
  ["nc ncat netcat", [], { "-e -c --exec --sh-exec": ["/bin/sh"] }],
  [
    "git",
    [],
    { "-c --config": settings, "--template": ["/x"] },
    {
      "remote worktree submodule": words("add set-url rename remove prune deinit foreach"),
      "stash reflog": words("drop clear pop expire delete"),
      credential: words("fill approve reject"),
      config: words("get set unset alias.x core.hooksPath core.sshCommand url.x.insteadOf !x"),
    },
  ],
  ["docker podman nerdctl", words("rm rmi run exec kill stop prune system volume push cp"), containerValues],
  [
    "kubectl oc",
    words("delete apply create secret namespace node deployment pvc all restart undo"),
    { "-o --output": words("yaml json"), "--replicas": ["0"], "-f --filename -k --kustomize": [`${address}.yaml`] },
  ],
  ["helm", words("uninstall install upgrade https://example.com/x.tgz oci://example.com/x")],
  ["eksctl", words("delete cluster")],
  [
    "aws",
    words("rm rb cp mv sync delete terminate-instances s3://bucket/x"),
    { "--acl --cidr --cidr-ip --principal --group-names --public-access": everyone },
  ],
  [
    "gcloud gsutil",
    words("delete rm cp mv rsync ch allUsers allUsers:objectViewer user:a@example.com:admin gs://bucket/x"),
    { "--member --source-ranges": [...everyone, "allUsers"] },
  ],
  ["az", words("vm group delete create upload"), { "--public-access": words("blob container") }],
  [
    "gh glab",
    words("api delete edit create merge close release repo secret variable"),
    { "-X --method": words("DELETE PUT PATCH POST"), "--visibility": ["public"] },
  ],
  ["rclone", words("delete purge sync move copy")],
  [
    "npm pnpm yarn bun",
    words(
      "registry ignore-scripts strict-ssl npmRegistryServer false x@latest publish exec dlx set delete config uninstall",
    ).concat(address),
  ],
  ["pip pip3 uv", words("install set unset global.index-url").concat(address)],
  ["mvn mvnw", ["deploy"]],
  ["gradle gradlew", ["publish"]],
  ["deno", ["npm:x", `${address}.ts`]],
  ["go", ["example.com/x@latest"]],
  ["npx pnpx bunx", words("x@latest prisma hookwarden")],
  ["prisma", words("migrate reset push")],
  ["php artisan", words("artisan migrate:fresh db:wipe")],
  ["rails rake", words("db:drop db:reset db:migrate:reset")],
  ["python", words("flush manage.py")],
  [
    "psql mysql mariadb sqlite3 sqlcmd duckdb cqlsh clickhouse-client",
    sql,
    { "-c --command -e --execute -q --query": sql },
  ],
  ["mongosh mongo", mongo, { "--eval": mongo }],
  ["redis-cli", words("FLUSHALL FLUSHDB CONFIG MODULE load flushall flushdb config module set dir")],
  ["mise asdf nvm fnm volta", words("use install uninstall exec")],
  ["codex claude gemini", words("disable features"), { "-c --config": ["features.hooks=false"] }],
  ["hookwarden", words("uninstall trust reload approve audit init")],
];

/** Options that write, delete, run or send, where the row of the program lists no flags or the option takes a value. */
const optionRows: readonly (readonly [programs: string, options: readonly string[]])[] = [
  ["find gfind", words("-delete")],
  ["sed gsed", words("-i")],
  ["sort gsort", words("-o= --output= --compress-program=")],
  ["curl", words("-o= --output= -O -T= --upload-file= -K= --config=")],
  ["wget", words("-O= --output-document= -P= --directory-prefix= --post-file=")],
  ["tar gtar bsdtar", words("--to-command= --use-compress-program= -C= --directory=")],
  ["cp mv ln install", words("-t= --target-directory=")],
  ["awk gawk", words("-iinplace -f= --file=")],
  ["perl ruby", words("-i -e=")],
  ["yq clang-format", words("-i")],
  ["gofmt goimports shfmt", words("-w")],
  ["prettier", words("--write")],
  ["eslint ruff stylelint", words("--fix")],
  ["tree less", words("-o=")],
  ["date", words("-s= --set=")],
  ["openssl", words("-out=")],
  ["patch psql", words("-o= --output=")],
  ["pg_dump mysqldump", words("-f= --file= -r=")],
  ["rg", words("--pre=")],
  ["zip", words("-m")],
];

function words(text: string): string[] {
  return text.split(" ");
}

const none: TellingWords = { operands: [], values: new Map(), below: new Map(), options: [] };

const byProgram: Map<string, TellingWords> = new Map(
  rows.flatMap(([programs, operands, values = {}, below = {}]) => {
    const told = { ...none, operands, values: byName(values), below: byName(below) };
    return programs.split(" ").map((name) => [name, told] as const);
  }),
);
for (const [programs, options] of optionRows)
  for (const name of programs.split(" ")) byProgram.set(name, { ...(byProgram.get(name) ?? none), options });

function byName(lists: Lists): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(lists).flatMap(([names, told]) => names.split(" ").map((name) => [name, told] as const)),
  );
}

/** Returns the words that decide what a program does; none for a program whose words are all data. */
export function tellingWords(program: string): TellingWords {
  return byProgram.get(program) ?? none;
}
