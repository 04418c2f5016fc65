import type { Status } from "./binding.ts";
import { joined } from "./join.ts";
import type { Store } from "./store.ts";

/**
 * Outcome of a command: the store for each way out, absent if that way is never taken. `ok` and `fail` may be the same store;
 * code that uses both must fork one. The first of `brk` and of `cont` is for the innermost loop.
 */
export interface Outcome {
  readonly ok?: Store | undefined;
  readonly fail?: Store | undefined;
  readonly brk?: readonly (Store | undefined)[];
  readonly cont?: readonly (Store | undefined)[];
  readonly ret?: Store | undefined;
  readonly exit?: Store | undefined;
}

/** The command succeeds. */
export function succeeds(store: Store): Outcome {
  store.status = "ok";
  return { ok: store };
}

/** The command fails. */
export function fails(store: Store): Outcome {
  store.status = "fail";
  return { fail: store };
}

/** Returns the store of a shell that ends here, with any status. */
export function leaving(store: Store): Store {
  const left = store.fork();
  left.status = "either";
  return left;
}

/** The command ends with any status. */
export function ends(store: Store, status: Status = "either"): Outcome {
  if (status === "ok") return succeeds(store);
  if (status === "fail") return fails(store);
  store.status = "either";
  return { ok: store, fail: store };
}

/** Joins the stores after a command; undefined if the text after it is never reached. */
export function behind({ ok, fail }: Outcome): Store | undefined {
  return ok === fail ? ok : joined(fail, ok);
}

/** Returns two stores that may be changed independently. */
export function apart({ ok, fail }: Outcome): { readonly ok: Store | undefined; readonly fail: Store | undefined } {
  if (ok && ok === fail) {
    const other = ok.fork();
    ok.status = "ok";
    other.status = "fail";
    other.excused ||= other.blamed;
    return { ok, fail: other };
  }
  return { ok, fail };
}

/** Joins several outcomes, any of which may be the actual one. */
export function eitherOutcome(outcomes: readonly Outcome[]): Outcome {
  if (outcomes.length === 1) return outcomes[0] as Outcome;
  // If all are undecided, so is the result: one store for success and failure.
  if (outcomes.every((one) => one.ok && one.ok === one.fail)) {
    const store = joined(...outcomes.map((one) => one.ok));
    return { ok: store, fail: store, ...jumpsOf(outcomes) };
  }
  const parts = outcomes.map((one) => ({ ...one, ...apart(one) }));
  return {
    ok: joined(...parts.map(({ ok }) => ok)),
    fail: joined(...parts.map(({ fail }) => fail)),
    ...jumpsOf(outcomes),
  };
}

/** Joins the jumps out of a command over several paths. */
export function jumpsOf(outcomes: readonly Outcome[]): Omit<Outcome, "ok" | "fail"> {
  const jumping = outcomes.filter(isJumping);
  if (jumping.length === 0) return {};
  const levels = (key: "brk" | "cont"): readonly (Store | undefined)[] => {
    const count = Math.max(0, ...jumping.map((one) => one[key]?.length ?? 0));
    return Array.from({ length: count }, (_, i) => joined(...jumping.map((one) => one[key]?.[i])));
  };
  return {
    brk: levels("brk"),
    cont: levels("cont"),
    ret: joined(...jumping.map(({ ret }) => ret)),
    exit: joined(...jumping.map(({ exit }) => exit)),
  };
}

/** True if the command may be left before its end. */
export function isJumping({ brk, cont, ret, exit }: Outcome): boolean {
  return (
    ret !== undefined ||
    exit !== undefined ||
    brk?.some((one) => one !== undefined) === true ||
    cont?.some((one) => one !== undefined) === true
  );
}

/** True if later commands may not be reached even if every program does its work. */
export function mayLeave({ brk, cont, ret, exit }: Outcome): boolean {
  if (brk?.some((one) => one !== undefined) || cont?.some((one) => one !== undefined)) return true;
  return ret !== undefined || (exit !== undefined && !(exit.status === "fail" && exit.excused));
}

/** Joins all stores with which a shell may end here. */
export function endsOf({ ok, fail, brk = [], cont = [], ret, exit }: Outcome): Store | undefined {
  return joined(ok === fail ? undefined : fail, ok, ...brk, ...cont, ret, exit);
}

/** Returns the status of a subshell's outcome. */
export function statusOf(outcome: Outcome): Status {
  const { ok, fail, brk = [], cont = [], ret, exit } = outcome;
  const statuses = new Set<Status>();
  if (ok) statuses.add("ok");
  if (fail) statuses.add("fail");
  for (const one of [...brk, ...cont]) if (one) statuses.add("ok");
  for (const one of [ret, exit]) if (one) statuses.add(one.status);
  const [only] = statuses;
  return statuses.size === 1 && only ? only : "either";
}

/** Returns every store of an outcome. */
export function storesOf({ ok, fail, brk = [], cont = [], ret, exit }: Outcome): ReadonlySet<Store> {
  return new Set([ok, fail, ...brk, ...cont, ret, exit].filter((one) => one !== undefined));
}
