/** A kind of name that `effects.config` has as the target of a change. */
export interface ChangeName {
  /** The form of the name; `<…>` stands for a part that the call gives. */
  readonly form: string;
  readonly meaning: string;
  /** A shell command with such a change. */
  readonly call: string;
  /** The target that facts have of it. */
  readonly target: string;
}

const row = (form: string, meaning: string, call: string, target: string): ChangeName => ({
  form,
  meaning,
  call,
  target,
});

/**
 * Names of changes, for the page of conditions: a setting by its key, or words joined by blanks. The name is the same for
 * every program that makes the change. `facts/programs/operations.ts` says how an operation is named.
 */
export const changeNames: readonly ChangeName[] = [
  row("<key>", "a setting of git or of a package manager", "git config core.hooksPath hooks", "core.hooksPath"),
  row("git rewrite history", "commits are replaced", "git filter-repo --path src", "git rewrite history"),
  row(
    "kubernetes <verb> <kind>/<name>",
    "a cluster",
    "kubectl delete namespace prod",
    "kubernetes delete namespace/prod",
  ),
  row("helm <verb> release/<name>", "a release in a cluster", "helm uninstall web", "helm delete release/web"),
  row(
    "docker <verb> <kind>/<name>",
    "containers, images, volumes",
    "docker volume rm data",
    "docker delete volume/data",
  ),
  row(
    "docker grant <right>",
    "a container that may reach the host",
    "docker run --privileged alpine",
    "docker grant privileged",
  ),
  row("terraform <verb>", "what terraform manages; pulumi likewise", "terraform destroy", "terraform destroy"),
  row(
    "aws <verb> <service>/<kind>/<name>",
    "Amazon",
    "aws ec2 terminate-instances i-1",
    "aws delete ec2/instances/i-1",
  ),
  row("aws <verb> <address>", "objects and buckets by their address", "aws s3 rb s3://logs", "aws delete s3://logs"),
  row(
    "gcloud <verb> <group>/<name>",
    "Google; azure, heroku, fly and others likewise",
    "gcloud projects delete web",
    "gcloud delete projects/web",
  ),
  row(
    "github <verb> <group>/<name>",
    "GitHub; gitlab and gitea likewise",
    "gh repo delete ada/web",
    "github delete repo/ada/web",
  ),
  row("<system> reveal <what>", "stored credentials are printed", "gh auth token", "github reveal auth/token"),
  row(
    "sql drop <kind> <name>",
    "SQL, by any client and in arguments of tools",
    'psql -c "DROP TABLE orders"',
    "sql drop table orders",
  ),
  row(
    "sql truncate table <name>",
    "every row is taken away",
    'mysql -e "TRUNCATE orders"',
    "sql truncate table orders",
  ),
  row(
    "sql delete <table>",
    "every row; with a condition there is no change",
    'sqlite3 a.db "DELETE FROM orders"',
    "sql delete orders",
  ),
  row("mongo <verb> <what> <name>", "MongoDB", 'mongosh app --eval "db.users.drop()"', "mongo drop collection users"),
  row("redis <command>", "Redis", "redis-cli FLUSHALL", "redis flushall"),
  row(
    "system <verb> <what>",
    "accounts, rights and packages of the machine",
    "apt-get remove nginx",
    "system delete package/nginx",
  ),
  row(
    "<program> <verb> <service>",
    "a service, in the words of the call (`service web restart`)",
    "systemctl restart web",
    "systemctl restart web",
  ),
  row(
    "rclone delete <remote>:<path>",
    "what a remote of rclone has",
    "rclone purge box:releases",
    "rclone delete box:releases",
  ),
  row("cron <verb> <what>", "jobs that run later", "crontab -r", "cron delete crontab"),
  row("listen <place>", "something on this machine that others can reach", "nc -l 8000", "listen 8000"),
  row("hookwarden <verb>", "the guard itself", "hookwarden uninstall claude", "hookwarden uninstall"),
];
