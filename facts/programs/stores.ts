import { type Field, literalField, textOfField, withText } from "../shell/fields.ts";
import { beginsOpen, mayNameHost } from "./addresses.ts";
import { optionList } from "./grammar.ts";
import { type Call, type Program, program } from "./program.ts";
import { spelled } from "./spelled.ts";

/** Texts of a call: the values of those options, or the input. */
function texts(call: Call, options: readonly string[]): Field[] {
  const inline = options.flatMap((name) => call.values(name));
  if (inline.length > 0) return inline;
  const { input, place } = call.draft;
  if (input === undefined) return [];
  if (!input?.atom) return [{ ...literalField("", place), kind: "unknown" }];
  return [{ ...literalField(input.atom.text, place), kind: input.atom.kind }];
}

const mongoReads =
  /^(?:find|findOne|aggregate|count|countDocuments|estimatedDocumentCount|distinct|stats|getIndexes|explain|toArray|forEach|limit|sort|pretty|getCollectionNames|getCollectionInfos|getSiblingDB|getCollection|getMongo|getName|version|hello|isMaster|serverStatus|listCollections|listDatabases|adminCommand|status|printjson|print|map|skip|projection|size|hasNext|next|ping|ObjectId|ISODate|getUsers)$/;
const mongoChanges =
  /^(?:insert|insertOne|insertMany|updateOne|updateMany|update|replaceOne|findOneAndUpdate|findOneAndReplace|findAndModify|createIndex|createIndexes|createCollection|bulkWrite|save|renameCollection|deleteOne|findOneAndDelete)$/;
const mongoRights =
  /^(?:createUser|dropUser|grantRolesToUser|updateUser|createRole|dropRole|shutdownServer|fsyncLock)$/;

/** Reports `db.users.deleteMany({})` and similar calls, by the method names in the text. */
function mongoText(call: Call, text: Field, database: string): void {
  if (text.kind === "unknown") call.to.doubt("part of the database text is not known");
  const plain = text.text;
  const db = /(?:getSiblingDB\(\s*["']|^[^\S\n\r\u2028\u2029]*use\s+)([\w-]{1,64})/m.exec(plain)?.[1] ?? database;
  let unknown = /\b(?:function|eval|require|load|runCommand|while|for)\b/.test(plain);
  for (const match of plain.matchAll(/(?:\b([\w$-]{1,128})["')\]]{0,3}\s*)?\.\s*([A-Za-z]{1,40})\s*\(\s*(\{\s*\})?/g)) {
    const [, collection = "", method = "", everything] = match;
    if (method === "dropDatabase") call.to.config(`mongo drop database ${db}`.trim());
    else if (method === "drop") call.to.config(`mongo drop collection ${collection}`.trim());
    else if (/^(?:deleteMany|remove|updateMany)$/.test(method) && everything !== undefined)
      call.to.config(`mongo ${method === "updateMany" ? "update" : "delete"} ${collection}`.trim());
    else if (mongoRights.test(method)) call.to.config(`mongo ${method} ${collection}`.trim());
    else if (
      !mongoReads.test(method) &&
      !mongoChanges.test(method) &&
      !/^(?:deleteMany|remove|dropIndex|dropIndexes)$/.test(method)
    )
      unknown = true;
  }
  if (unknown || (plain.trim() !== "" && !/^(?:\s*(?:db|use|show|rs|sh|printjson|print|exit|quit)\b|\s*$)/.test(plain)))
    call.to.doubt("what the database text does is not known");
}

function mongo(call: Call): void {
  const host = call.value("--host");
  if (host) call.to.network(host, "both");
  const [first, ...rest] = call.operands;
  const address = first && mayNameHost(first, /^mongodb(?:\+srv)?:\/\//i) ? first : undefined;
  if (address) call.to.network(address, "both");
  const named = first && !address && !/\.(?:js|mongodb)$/.test(first.text) ? first.text.replace(/^.*\//, "") : "";
  const database = address ? (/^[^:]*:\/\/[^/]*\/([^?]*)/.exec(address.text)?.[1] ?? "") : named;
  const files = [...call.values("--file"), ...(first && !address && named === "" ? [first] : []), ...rest];
  for (const file of files) {
    call.to.read(file);
    call.to.run(file.text, file.kind !== "unknown");
    call.to.doubt("what the database file does is not analysed");
  }
  if (files.length === 0) for (const text of texts(call, ["--eval"])) mongoText(call, text, database);
}

const redisReads =
  /^(?:get|mget|exists|ttl|pttl|type|keys|scan|hget|hgetall|hmget|hkeys|hvals|hlen|lrange|llen|lindex|smembers|scard|sismember|zrange|zscore|zcard|xrange|xlen|info|ping|echo|time|dbsize|strlen|memory|object|client|cluster|latency|slowlog|monitor|subscribe|psubscribe|select|auth|command|randomkey|getrange|bitcount|pfcount|geopos|lastsave|role|hello|sscan|hscan|zscan|acl|quit|exit)$/i;
const redisChanges =
  /^(?:set|setex|setnx|mset|append|incr|decr|incrby|decrby|incrbyfloat|hset|hmset|hdel|hincrby|lpush|rpush|lpop|rpop|lrem|ltrim|sadd|srem|spop|zadd|zrem|zincrby|xadd|xdel|expire|expireat|pexpire|persist|rename|renamenx|del|unlink|publish|getset|getdel|setrange|setbit|pfadd|geoadd|move|copy|restore|touch|save|bgsave|bgrewriteaof|xtrim|sort|multi|exec|discard|watch|unwatch)$/i;

/** True for a command of redis that changes single keys, which has no effect in the facts. */
export function changesRedisKeys(verb: string): boolean {
  return redisChanges.test(verb);
}

function redisCommand(call: Call, words: readonly string[]): void {
  const [verb = "", second = ""] = words;
  if (verb === "" || redisReads.test(verb) || redisChanges.test(verb)) return;
  const name = verb.toLowerCase();
  if (/^flush(?:all|db)$/.test(name)) call.to.config(`redis ${name}`);
  else if (name === "shutdown") call.to.kill("redis");
  else if (name === "config" && /^(?:get|help)$/i.test(second)) return;
  else if (/^(?:config|replicaof|slaveof|migrate|module|failover|swapdb|debug|function)$/.test(name))
    call.to.config(["redis", name, ...words.slice(1, 4)].join(" "));
  else call.to.doubt(`what the redis command \`${verb.slice(0, 40)}\` does is not known`);
}

/** `redis-cli --cluster call host:port flushall`, `--cluster reshard host:port`: what every node of a cluster does. */
function redisCluster(call: Call, verb: string): void {
  const [node, ...words] = call.operands;
  if (node) call.to.network(node, "both");
  if (verb === "backup") for (const folder of words.slice(0, 1)) call.to.write(folder);
  else if (verb !== "call" && !/^(?:check|info|help)$/.test(verb)) call.to.config(`redis cluster ${verb}`);
  if (verb === "call")
    redisCommand(
      call,
      words.map((word) => word.text),
    );
}

function redis(call: Call): void {
  for (const name of ["-h", "-u"]) for (const host of call.values(name)) call.to.network(host, "both");
  const cluster = call.value("--cluster");
  if (cluster) {
    redisCluster(call, cluster.text);
    return;
  }
  for (const file of call.values("--eval")) {
    call.to.read(file);
    call.to.run(file.text);
    call.to.doubt("what the redis script does is not analysed");
  }
  const rdb = call.value("--rdb");
  if (rdb) call.to.write(rdb);
  if (call.has("--eval")) return;
  if (call.operands.length > 0) {
    if (call.operands[0]?.kind === "unknown") call.to.doubt("the redis command is not known");
    redisCommand(
      call,
      call.operands.map((word) => word.text),
    );
    return;
  }
  for (const text of texts(call, [])) {
    if (text.kind === "unknown") call.to.doubt("part of the redis commands is not known");
    for (const line of text.text.split("\n")) redisCommand(call, line.trim().split(/\s+/));
  }
}

/** Dumps and restores: a connection, a file read or written. */
function dump(writing: readonly string[], reading: readonly string[]): (call: Call) => void {
  return (call) => {
    for (const name of ["--host", "--uri"])
      for (const host of call.values(name)) if (!host.text.startsWith("/")) call.to.network(host, "both");
    const isPostgres = call.program.startsWith("pg_dump");
    for (const word of [...call.operands, ...(isPostgres ? call.values("--dbname") : [])])
      if (/^[a-z][a-z0-9+.-]*:\/\//i.test(word.text) || (isPostgres && beginsOpen(word))) call.to.network(word, "both");
    for (const name of writing) for (const file of call.values(name)) call.to.write(file);
    if (/^(?:mysql|mariadb)/.test(call.program)) {
      for (const folder of call.values("--tab")) call.to.write(folder);
      if (call.has("--delete-master-logs") || call.has("--delete-source-logs")) call.to.config("sql purge binary logs");
    }
    const archive = call.value("--archive");
    if (call.program === "mongodump" && archive) call.to.write(archive);
    // Without a place, these write into a folder of the current one.
    if (/^(?:mongodump|mydumper)$/.test(call.program) && !call.has("--archive") && !call.has("--out"))
      call.to.write(literalField(call.program === "mongodump" ? "dump" : "export", call.draft.place));
    for (const name of reading) for (const file of call.values(name)) call.to.read(file);
  };
}

const connection =
  "-h --host=; -p --port=; -U -u --username --user=; -d --dbname --db=; -w --no-password; -W --password=?; --uri=";

/** Options of the tools of MongoDB about collections and their fields. */
const collections =
  "-c --collection=; -f --fields=; --fieldFile=; -q --query=; --queryFile=; --sort=; --limit=; --skip=; --readPreference=; --authenticationDatabase=; --authenticationMechanism=; --config=; --jsonArray; --pretty; --jsonFormat=";

/** Restores replace what is there. */
function restore(call: Call): void {
  const isPostgres = call.program === "pg_restore";
  dump(isPostgres ? ["--file"] : [], isPostgres ? ["--use-list"] : ["--file"])(call);
  for (const file of call.operands) if (!file.text.includes("://")) call.to.read(file, { recursive: true });
  const database = call.value("--dbname")?.text ?? "";
  const collection = call.program === "mongoimport" ? call.value("--collection")?.text : undefined;
  if (collection !== undefined && call.has("--drop")) call.to.config(`mongo drop collection ${collection}`);
  else if (call.has("--clean") || call.has("--drop"))
    call.to.config(`${call.program.startsWith("mongo") ? "mongo" : "sql"} drop database ${database}`.trim());
}

/** Options of clients of MySQL about the connection. */
const mysqlConnection =
  "-P=; -S --socket=; --connect-timeout --connect_timeout=; --shutdown-timeout=; --ssl-mode=; --ssl-ca=; --ssl-cert=; --ssl-key=; --ssl-capath=; --ssl-cipher=; --tls-version=; --protocol=; --default-character-set=; --defaults-file=; --defaults-extra-file=; --login-path=; --default-auth=; --plugin-dir=; -i --sleep=; -c --count=; -w --wait=?; --bind-address=; --compression-algorithms=";

const adminVerbs =
  /^(?:drop|shutdown|create|status|ping|version|processlist|variables|extended-status|flush-\S+|kill|password|old-password|refresh|reload|start-slave|stop-slave|start-replica|stop-replica|debug)$/;
const isAdminVerb = (word: Field | undefined): boolean => adminVerbs.test(word?.text ?? "");
const isRedisVerb = ({ text = "" }: Partial<Field> = {}): boolean =>
  redisReads.test(text) || redisChanges.test(text) || /^(?:flush(?:all|db)|shutdown|config|script|eval)$/i.test(text);

/** A row that reads its verb itself, the first operand. */
function verbal(isVerb: (word: Field | undefined) => boolean, ...row: Parameters<typeof program>): Program {
  return { ...program(...row), begins: ([verb]) => isVerb(verb) };
}

/** Databases that are not SQL, and the tools around databases. */
export const storePrograms: readonly Program[] = [
  program(
    "mongosh mongo",
    optionList(
      "--eval=; -f --file=; -h --host=; -p --port=; -u --username=; -p --password=; --authenticationDatabase=; --quiet; --norc; --nodb; --json=?; --tls; --shell",
    ),
    mongo,
  ),
  {
    names: ["redis-cli", "valkey-cli", "keydb-cli"],
    grammar: {
      options: optionList(
        "-h=; -p=; -s=; -a=; -u=; -n=; -r=; -i=; -x; -X=; -d=; --user=; --pass=; --askpass; --raw; --csv; --json; --scan; --pattern=; --bigkeys; --stat; --latency; --rdb=; --pipe; --eval=; --no-auth-warning; --tls; --sni=; --cacert=; --cacertdir=; --cert=; --key=; --tls-ciphers=; --tls-ciphersuites=; --cluster=; -c; -2; -3; -e; -t=",
      ),
      stop: true,
    },
    begins: ([verb]) => isRedisVerb(verb),
    effects: redis,
  },
  program(
    "pg_dump pg_dumpall mysqldump mysqlpump mydumper mariadb-dump mongodump",
    optionList(
      `${connection}; -f --file --result-file -r=; -o --out --outputdir=; -T --tab --exclude-table=; -F --format=; -t --table=; -n --schema=; -s --schema-only; -a --data-only; --all-databases; --single-transaction; -P=; --archive=?; --gzip; --delete-master-logs; --delete-source-logs`,
    ),
    dump(["--file", "--out"], []),
  ),
  program(
    "mongoexport",
    optionList(`${connection}; ${collections}; -o --out=; --type=`),
    dump(["--out"], ["--fieldFile"]),
  ),
  program(
    "pg_restore",
    optionList(
      `${connection}; -c --clean; -F --format=; -j --jobs=; -C --create; -f --file=; -t --table=; -n --schema=; -N --exclude-schema=; -I --index=; -P --function=; -T --trigger=; -L --use-list=; -S --superuser=; --section=; --role=; --filter=; -1 --single-transaction; -O --no-owner`,
    ),
    restore,
  ),
  program(
    "mongorestore mongoimport",
    optionList(
      `${connection}; ${collections}; --drop; -j --numParallelCollections --numInsertionWorkers=; --file=; --type=; --mode=; --upsertFields=; --columnsHaveTypes; --archive=?; --gzip; --nsInclude=; --nsExclude=; --nsFrom=; --nsTo=; --dir=`,
    ),
    restore,
  ),
  program(
    "createdb createuser",
    optionList(`${connection}; -O --owner=; -T --template=; -s --superuser; -E --encoding=`),
    (call) => {
      dump([], [])(call);
      if (call.program === "createuser") call.to.config(spelled`sql create user ${call.operands[0]}`);
    },
  ),
  program(
    "dropdb dropuser",
    optionList(`${connection}; -f --force; -i --interactive; -e --echo; --if-exists; --maintenance-db=`),
    (call) => {
      dump([], [])(call);
      for (const name of call.operands)
        call.to.config(spelled`sql drop ${call.program === "dropdb" ? "database" : "user"} ${name}`);
    },
  ),
  verbal(
    isAdminVerb,
    "mysqladmin mariadb-admin",
    optionList(`${connection}; ${mysqlConnection}; -f --force`),
    (call) => {
      dump([], [])(call);
      const [verb, name] = call.operands;
      if (verb?.text === "drop") call.to.config(spelled`sql drop database ${name}`);
      else if (verb?.text === "shutdown") call.to.kill("mysql");
      else if (verb && !/^(?:status|ping|version|processlist|variables|extended-status|create)$/.test(verb.text))
        call.to.config(spelled`sql ${verb} ${name}`);
    },
  ),
  program("pg_isready pg_config", optionList(connection), dump([], [])),
  program(
    "pg_ctl initdb pg_basebackup",
    optionList(
      "-D --pgdata=; -l --log=; -m --mode=; -h --host=; -U --username=; -w --wait; -W --no-wait; -s --silent; -o --options=; -t --timeout=; -p=; -X --wal-method --xlog-method=; -F --format=; -Z --compress=; -c --checkpoint=; -r --max-rate=; -S --slot=; -T --tablespace-mapping=; --waldir=; -A --auth=; -E --encoding=; --locale=; -k --data-checksums; -d --dbname=",
    ),
    (call) => {
      const [verb, , pid] = call.operands;
      if (call.program === "pg_ctl" && verb?.text === "kill") return call.to.kill(pid ? textOfField(pid) : "postgres");
      for (const folder of call.values("--pgdata"))
        if (verb?.text === "status") call.to.read(folder);
        else call.to.write(folder);
      for (const file of call.values("--log")) call.to.write(file);
      for (const host of call.values("--host")) call.to.network(host, "download");
      if (verb && /^(?:stop|restart)$/.test(verb.text)) call.to.kill("postgres");
      if (call.program === "pg_ctl" && verb && !/^(?:status|stop)$/.test(verb.text))
        call.to.run(withText(verb, `postgres ${verb.text}`).text);
    },
  ),
];
