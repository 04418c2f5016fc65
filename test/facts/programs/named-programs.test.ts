import { describe, expect, test } from "vitest";
import { knownParts } from "../../../schema/approximation.ts";
import { bash } from "../effects/judge.ts";

const programs = (command: string): string[] =>
  (bash(command).shell?.commands ?? []).map(({ program, words }) =>
    [knownParts(program), ...words.map(({ text }) => knownParts(text))].join(" "),
  );

describe("a program that another one starts by its name is a command of its own", () => {
  test.each([
    ["python -m alembic upgrade head", "alembic upgrade head"],
    ["python3.12 -m alembic -c a.ini upgrade head", "alembic -c a.ini upgrade head"],
    ["python -m pip --proxy http://a install x", "pip --proxy http://a install x"],
    ["python -malembic upgrade head", "alembic upgrade head"],
    ["cd api && poetry run python -m celery -A app purge", "celery -A app purge"],
    ["python -W ignore -m twine upload dist/a.whl", "twine upload dist/a.whl"],
    ["pnpm prisma migrate deploy", "prisma migrate deploy"],
    ["pnpm --filter web prisma migrate deploy", "prisma migrate deploy"],
    ["yarn prisma migrate deploy", "prisma migrate deploy"],
    ["yarn workspace web sequelize db:migrate", "sequelize db:migrate"],
    ["bun prisma migrate deploy", "prisma migrate deploy"],
    ["ruby bin/rails db:migrate", "rails db:migrate"],
    ["ruby -Ilib ./bin/rake db:migrate", "rake db:migrate"],
    ["node node_modules/.bin/prisma migrate deploy", "prisma migrate deploy"],
    ["venv/bin/python venv/bin/alembic upgrade head", "alembic upgrade head"],
    ["php vendor/bin/doctrine orm:schema-tool:update", "doctrine orm:schema-tool:update"],
  ])("%s", (command, expected) => expect(programs(command)).toContain(expected));
});

describe("a module of Python, a script of the project and a verb are none", () => {
  test.each([
    ["python3 -m json.tool a.json", 1],
    ["python3 -m http.server 8000", 1],
    ["python3 -m venv .venv", 1],
    ["python3 -m unittest discover", 1],
    ["yarn add left-pad", 1],
    ["pnpm run build", 1],
    ["yarn lint:fix", 1],
    ["npm test", 1],
    ["npm prisma", 1],
    ["bun src/index.ts", 2],
    ["node scripts/bin.js x", 1],
    ["python manage.py migrate", 1],
    ["ruby -e 'puts 1' bin/rails", 1],
  ])("%s", (command, count) => expect(programs(command)).toHaveLength(count));
});
