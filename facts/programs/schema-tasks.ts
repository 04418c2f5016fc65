import type { Draft } from "../shell/draft.ts";
import type { Reporter } from "./program.ts";

/**
 * Tasks of frameworks and migration tools that empty or remove a database: `rails db:drop`, `prisma migrate reset`,
 * `manage.py flush`. By the tool's name, a pattern for the words behind it, joined by blanks. Sources: their manuals.
 */
const tasks: ReadonlyMap<string, RegExp> = new Map(
  (
    [
      [
        "rails rake",
        /(?:^| )(?:db:(?:drop|reset|purge|schema:load|truncate_all|migrate:reset|seed:replant)(?::\w+)?)\b/,
      ],
      ["manage.py django-admin", /^(?:flush|reset_db|reset_schema|sqlflush)\b|^migrate \S+ zero\b/],
      ["artisan", /^(?:migrate:(?:fresh|refresh|reset)|db:wipe)\b/],
      ["console doctrine", /^(?:doctrine:(?:database:drop|schema:drop|fixtures:load)|orm:schema-tool:drop)\b/],
      ["prisma", /^(?:migrate reset|db push\b.* ?--(?:force-reset|accept-data-loss))\b/],
      ["drizzle-kit", /^push\b.*--force\b/],
      ["sequelize sequelize-cli", /^db:(?:drop|migrate:undo:all)\b/],
      ["typeorm typeorm-ts-node-commonjs typeorm-ts-node-esm", /(?:^| )schema:drop\b/],
      ["knex", /^migrate:rollback\b.*--all\b/],
      ["mikro-orm", /^(?:schema:(?:drop|fresh)|migration:fresh)\b/],
      ["mix", /^ecto\.(?:drop|reset)\b/],
      ["dotnet dotnet-ef", /^(?:ef )?database drop\b/],
      ["alembic flask", /^(?:db )?downgrade base\b/],
      ["flyway", /(?:^| )clean\b/],
      ["liquibase", /(?:^| )drop-?all\b/i],
      ["dbmate", /(?:^| )drop\b/],
      ["diesel sqlx", /^(?:database|db) (?:drop|reset)\b/],
      ["migrate goose", /(?:^| )(?:drop|reset|down-to 0)\b/],
      ["atlas", /^schema clean\b/],
      ["supabase", /^db reset\b/],
      ["influx", /^(?:delete|bucket delete|org delete)\b/],
      ["etcdctl", /^del\b.*--(?:prefix|from-key)\b/],
      ["cypher-shell", /\bdetach\s+delete\b/i],
    ] as const
  ).flatMap(([names, task]) => names.split(" ").map((name) => [name, task] as const)),
);

/** Interpreters whose first word is the tool. */
const interpreters = /^(?:python[\d.]*|php[\d.]*|ruby[\d.]*|node|bun|deno|bundle|poetry|uv)$/;

// Most words of a task; it comes at the beginning.
const longestTask = 24;

/** Reports `sql drop database` for a task that empties or removes one. Costs a look-up where the program is no tool. */
export function reportSchemaTask(name: string, draft: Draft, to: Reporter): void {
  const [script, ...rest] = draft.args;
  const inner = script !== undefined && interpreters.test(name);
  const tool = inner ? (script.text.split("/").at(-1) ?? "") : name;
  const task = tasks.get(tool);
  if (!task) return;
  const words = (inner ? rest : draft.args).slice(0, longestTask).map((word) => word.text.slice(0, 256));
  if (task.test(words.join(" "))) to.config("sql drop database");
}
