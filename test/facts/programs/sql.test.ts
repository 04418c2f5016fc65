import { describe, expect, it } from "vitest";
import { sqlMeaning, sqlStatements } from "../../../facts/programs/sql.ts";
import { bash } from "../effects/judge.ts";
import { effectLine } from "./rows.ts";

function targets(text: string): string[] {
  return (sqlStatements(text, "") ?? []).flatMap((one) =>
    one.kind === "sql" ? [...sqlMeaning(one.tokens).targets] : [],
  );
}

describe("statements of an SQL text", () => {
  it.each([
    ["select ';'; select 2", 2],
    ["select 1 -- ; drop table x\n; select 2", 2],
    ["select /* ; */ 1", 1],
    ["do $body$ begin; end; $body$", 1],
    ["insert into t values ('it''s; fine')", 1],
    [";;;", 0],
  ])("%j are %d", (text, count) => {
    expect(sqlStatements(text, "")?.length).toBe(count);
  });

  it("are not known where a quote or comment does not end", () => {
    expect(["select 'a", "select /* a", 'select "a'].map((text) => sqlStatements(text, ""))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("are read in time linear in their length", () => {
    expect(sqlStatements(`select ${"$a".repeat(30_000)}`, "")).toHaveLength(1);
    expect(sqlStatements(`select 1 ${"-".repeat(60_001)}`, "")).toHaveLength(1);
  });
});

describe("meaning of a statement", () => {
  it.each([
    ["DROP TABLE IF EXISTS a, public.b CASCADE", ["drop table a", "drop table public.b"]],
    ["drop materialized view v", ["drop view v"]],
    ["drop database `app`", ["drop database app"]],
    ["truncate table only a, b", ["truncate table a", "truncate table b"]],
    ["delete from orders", ["delete orders"]],
    ["delete from orders where true", ["delete orders"]],
    ["delete from orders where 1 = 1", ["delete orders"]],
    ["delete from orders where id = 1", []],
    ["delete from orders where name = 'where'", []],
    ["update t set a = 'where'", ["update t"]],
    ["alter table t drop column c", ["alter table t drop"]],
    ["alter table t add column drop_at date", []],
    ["grant all on t to u", ["grant all on t to u"]],
    ["create role r superuser", ["create role r"]],
    ["with d as (delete from t returning *) select * from d", ["delete t"]],
    ["with d as (delete from t where id = 1 returning *) select * from d", []],
    ["explain delete from t", []],
    ["explain analyze delete from t", ["delete t"]],
    ["select 'drop table x'", []],
    ["insert into notes values ('delete from orders')", []],
    ["/*! drop table a */", ["drop table a"]],
  ])("%j has %j", (text, expected) => {
    expect(targets(text)).toEqual(expected);
  });
});

describe("SQL from wherever a client takes it", () => {
  it.each([
    ["psql -c 'drop table a' -c 'drop table b'", "config sql drop table a; config sql drop table b"],
    ["echo 'drop table a' | psql app", "config sql drop table a"],
    ["psql <<'E'\ndrop table a;\nselect 1;\nE", "config sql drop table a"],
    ['psql -c "drop table a$N"', "config sql drop table a⟨$N⟩ maybe; opaque"],
    ['psql -c "drop table $S.a"', "config sql drop table ⟨$S⟩.a maybe; opaque"],
    ['psql -c "drop table a; select $N"', "config sql drop table a; opaque"],
    ['echo "truncate a$N" | psql', "config sql truncate table a⟨…⟩ maybe; opaque"],
    ['psql -c "\\\\i $F.sql"', "read .sql; run .sql; opaque"],
    ["psql postgres://u:p@db.example/app -c 'select 1'", "network db.example both"],
    ["psql 'host=db.example dbname=app' -c 'select 1'", "network db.example both"],
    ["psql -h /var/run/postgresql -c 'select 1'", "nothing"],
    ["psql -c \"\\copy t to 'out.csv' csv\"", "write out.csv"],
    ["mysql app -e 'source x.sql'", "read x.sql; run x.sql; opaque"],
    ["sqlite3 app.db \"insert into a values ('drop table b')\"", "read app.db; write app.db"],
    ["sqlite3 app.db '.output o.txt' 'select 1'", "read app.db; write o.txt"],
    ["sqlite3 -readonly app.db .tables", "read app.db"],
    ["duckdb -c \"copy t to 'o.csv'\"", "write o.csv"],
    ['psql -c "$SQL"', "opaque"],
    ["psql -c 'call f()'", "opaque"],
    ["cat x.sql | psql", "read x.sql; opaque"],
    ["bq query 'select 1'", "nothing"],
    ["redis-cli <<< 'FLUSHDB'", "config redis flushdb"],
    ["redis-cli config get maxmemory", "nothing"],
    ["redis-cli eval x 0", "opaque"],
    ["mongosh --eval 'db.users.deleteMany({ a: 1 })'", "nothing"],
    ["mongosh --eval 'db.users.drop()'", "config mongo drop collection users"],
    ["mongosh --eval 'db.users.find()'", "nothing"],
    ["mongosh x.js", "read x.js; run x.js; opaque"],
    [
      "docker exec db psql -c 'drop table a'",
      "(docker psql); run psql -c drop table a; config sql drop table a maybe; opaque",
    ],
  ])("%j: %s", (command, expected) => {
    const shown = effectLine(command).replace(/^\(docker psql\); /, "(docker psql); ");
    expect(shown).toBe(expected);
  });

  it("leaves SQL that is only mentioned alone", () => {
    const reading = bash("git commit -m 'drop table orders' && grep -r 'delete from orders' src && echo 'truncate a'");
    expect([reading.understanding, reading.effects?.config]).toEqual(["understood", []]);
  });
});
