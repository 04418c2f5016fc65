import { type Grammar, optionList } from "./grammar.ts";
import { type Call, type Program, type Subcommand, subcommand } from "./program.ts";

/** Reports a task of a framework: the project's own code, which is not analysed. */
function task(call: Call): void {
  call.to.run(
    [call.program, call.subcommand || (call.operands[0]?.text ?? "")].filter((word) => word !== "").join(" "),
  );
  call.to.doubt(`what ${call.program} runs is not analysed`);
}

/** Makes a group of subcommands below a word: `prisma migrate deploy`. */
function below(group: string, names: string, options: readonly string[]): Subcommand {
  return { names: [group], grammar: { stop: true }, subcommands: [subcommand(names, options, task)], effects: task };
}

/** Makes the row of a program whose every subcommand is opaque; the words behind them say which task is meant. */
function tasks(names: string, globals: Grammar, subcommands: readonly Subcommand[]): Program {
  return {
    names: names.split(" "),
    grammar: { ...globals, stop: true },
    subcommands,
    effects: (call) => call.subcommand === "" && task(call),
  };
}

const alembicOptions = optionList(`
    -m --message=; --sql; --tag=; --autogenerate; --head=; --splice; --branch-label=; --version-path=; --rev-id=; --depends-on=; -r
    --rev-range=; -v --verbose; -i --indicate-current; --purge; --check-heads; -t --template=; --package; --resolve-dependencies
  `);
const prismaOptions = optionList(`
    --schema=; --config=; -n --name=; --create-only; --skip-generate; --skip-seed; -f --force; --force-reset; --accept-data-loss;
    --applied=; --rolled-back=; --from-empty; --to-schema-datamodel=; --url=; --file=; --stdin; --preview-feature; --print;
    --generator=; --watch; --data-proxy; --no-engine; --sql; -p --port=; -b --browser=; --hostname=
  `);
const databaseTasks =
  `db:abort_if_pending_migrations db:charset db:collation db:create db:create:all db:drop db:drop:all
  db:encryption:init db:environment:set db:fixtures:load db:forward db:migrate db:migrate:down db:migrate:redo db:migrate:reset
  db:migrate:status db:migrate:up db:prepare db:purge db:reset db:rollback db:schema:cache:clear db:schema:cache:dump
  db:schema:dump db:schema:load db:seed db:seed:replant db:setup db:system:change db:test:prepare db:truncate_all db:version`
    .split(/\s+/)
    .join(" ");
const railsOptions = optionList(`
    -e --environment=; -p --port=; -b --binding=; -c --config=; -d --daemon; -s --sandbox; -f --force; --skip; --pretend; --database=;
    --db=; --trace; -q --quiet; -t --tasks; -P --prereqs; -N
  `);

/**
 * Programs whose tasks change a database or a project, by their subcommands. What a task does is not known; that `migrate reset`
 * and the like empty a database is in `schema-tasks.ts`. Source: their manuals.
 */
export const migrationPrograms: readonly Program[] = [
  tasks("alembic", { options: optionList("-c --config=; -n --name=; -x=; --raiseerr; -q --quiet") }, [
    subcommand(
      "branches check current downgrade edit ensure_version heads history init list_templates merge revision show stamp upgrade",
      alembicOptions,
      task,
    ),
  ]),
  tasks("prisma", { options: ["-h --help", "-v --version"] }, [
    below("migrate", "deploy dev diff reset resolve status", prismaOptions),
    below("db", "execute pull push seed", prismaOptions),
    subcommand("debug format generate init platform studio validate version", prismaOptions, task),
  ]),
  tasks("rails rake", { options: railsOptions }, [
    subcommand(databaseTasks, railsOptions, task),
    subcommand(
      `about assets:clobber assets:precompile console c credentials:edit dbconsole db:console destroy d generate g initializers
       log:clear middleware new notes restart routes runner r server s stats test t test:all tmp:clear tmp:create zeitwerk:check`
        .split(/\s+/)
        .join(" "),
      railsOptions,
      task,
    ),
  ]),
];
