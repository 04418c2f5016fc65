import type { Random } from "../properties/language/random.ts";

/** What stands in a template for a word of one kind, as `«kind»`. */
type Slot = (random: Random) => string;

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

const nouns = list(`account adapter alert answer archive batch billing broker bucket button cache cart catalog chart
  checkout client cluster comment config cursor dashboard dataset device digest editor engine export feature feed filter
  form gateway graph group handler header history image import index input invoice job journal label layout ledger link
  list loader locale lock login logger mailer manifest matrix menu message meter metric migration model module monitor
  navigation note order page panel parser patch payment pipeline planner player plugin policy pool price printer profile
  project proxy query queue reader receipt record region registry renderer report request resolver result role router
  rule runner sample scheduler schema search sensor server session setting shader sheet signal snapshot socket source
  sprite stage status storage stream student style summary table task team template theme thread ticket token tracker
  tree upload user validator vector vendor version viewer webhook widget window worker`);
const verbs = list(`add align avoid bound bump cache check clean close collect compare compute convert copy count cover
  describe detect disable document drop enable escape expand explain extract fix follow format gather guard handle hide
  ignore improve inline join keep limit list load log mark measure merge move name normalise open order parse prefer
  print quote raise read rebuild record refresh refuse release rename render replace report resolve restore retry return
  review revert rework save select send show simplify skip sort split start stop store support test tidy track trim
  update use validate wait warn wrap write`);
const folders = list(`src lib app cmd internal pkg server client web api core packages/ui packages/core apps/admin
  services/auth services/mail test tests spec e2e docs scripts tools examples config deploy infra migrations assets
  public static components pages hooks store models views controllers bench fixtures vendor/lib`);
const extensions = list(
  `ts ts ts tsx js jsx py py go rs java rb c h cpp css scss json yaml yml toml md md txt sh sql html`,
);
const packages = list(`react vue lodash express fastify zod vitest eslint prettier typescript vite webpack rollup axios
  date-fns commander chalk pino jest playwright @types/node @types/react @tanstack/query tailwindcss postcss prisma
  drizzle-orm next svelte rxjs immer nanoid uuid dotenv sharp ws got undici yargs`);
const wheels = list(`requests numpy pandas flask django fastapi uvicorn pytest black ruff mypy sqlalchemy alembic boto3
  celery redis httpx pydantic scipy matplotlib tqdm rich click jinja2 pyyaml torch scikit-learn`);
const hosts = list(`example.com api.example.com docs.example.org registry.npmjs.org github.com localhost:3000
  localhost:8080 127.0.0.1:5432 staging.example.net cdn.example.net files.example.org status.example.io`);

const hex = (random: Random, length: number): string =>
  Array.from({ length }, () => "0123456789abcdef"[random.below(16)]).join("");
const noun: Slot = (random) => random.pick(nouns);
const verb: Slot = (random) => random.pick(verbs);
const name: Slot = (random) =>
  random.chance(0.5) ? noun(random) : `${noun(random)}${random.pick(["-", "_", "."])}${noun(random)}`;
const folder: Slot = (random) =>
  random.chance(0.7) ? random.pick(folders) : `${random.pick(folders)}/${random.pick(nouns)}`;
const file: Slot = (random) => {
  const base = `${name(random)}.${random.pick(extensions)}`;
  return random.chance(0.2) ? base : `${folder(random)}/${base}`;
};
const sentence: Slot = (random) => {
  const words = [verb(random), random.pick(["the", "a", "every", "each", "one"]), noun(random)];
  for (let more = random.below(9); more > 0; more--)
    words.push(random.pick(["of", "for", "in", "with", "and", "before", "after", "when"]), random.pick(nouns));
  return words.join(" ");
};

/** Every kind of word that a template may name. */
const slots: ReadonlyMap<string, Slot> = new Map<string, Slot>([
  ["noun", noun],
  ["verb", verb],
  ["name", name],
  ["folder", folder],
  ["file", file],
  ["sentence", sentence],
  [
    "Symbol",
    (random) =>
      `${noun(random).replace(/^./, (c) => c.toUpperCase())}${verb(random).replace(/^./, (c) => c.toUpperCase())}`,
  ],
  ["symbol", (random) => `${verb(random)}${noun(random).replace(/^./, (c) => c.toUpperCase())}`],
  ["CONST", (random) => `${noun(random)}_${noun(random)}`.toUpperCase()],
  ["ext", (random) => random.pick(extensions)],
  ["package", (random) => random.pick(packages)],
  ["wheel", (random) => random.pick(wheels)],
  ["host", (random) => random.pick(hosts)],
  [
    "branch",
    (random) =>
      `${random.pick(["feature", "fix", "chore", "docs", "refactor", "release"])}/${verb(random)}-${noun(random)}`,
  ],
  ["sha", (random) => hex(random, random.pick([7, 8, 12, 40]))],
  ["n", (random) => String(1 + random.below(random.pick([9, 90, 900])))],
  ["port", (random) => String(1024 + random.below(60_000))],
  ["version", (random) => `${random.below(20)}.${random.below(30)}.${random.below(12)}`],
  [
    "date",
    (random) =>
      `2026-${String(1 + random.below(12)).padStart(2, "0")}-${String(1 + random.below(28)).padStart(2, "0")}`,
  ],
  [
    "image",
    (random) =>
      `${random.pick(["node", "python", "postgres", "redis", "nginx", "alpine", "example/app"])}:${random.below(20)}.${random.below(9)}`,
  ],
  ["pod", (random) => `${noun(random)}-${hex(random, 9)}-${hex(random, 5)}`],
  ["ns", (random) => random.pick(["default", "staging", "production", "kube-system", "monitoring", "web"])],
]);

const slot = /«(\w+)»/g;

/** A template with a new word for each of its slots; throws for a kind that there is not, a fault of the template. */
export function filled(template: string, random: Random): string {
  return template.replace(slot, (_, kind: string) => {
    const make = slots.get(kind);
    if (!make) throw new Error(`no slot \`${kind}\``);
    return make(random);
  });
}
