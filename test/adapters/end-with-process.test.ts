import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { EndsWithProcess, type WaitingPlaces } from "../../adapters/end-with-process.ts";

/** A process that hears what the test tells it. */
class Host extends EventEmitter {
  readonly pid = 7;
  readonly killed: unknown[] = [];
  /** As the system does it: a process that nobody listens in is gone, and else its listeners hear the signal later. */
  kill(pid: number, signal: string): void {
    this.killed.push([pid, signal, this.listenerCount(signal)]);
    if (this.listenerCount(signal) > 0) setImmediate(() => this.emit(signal, signal));
  }
}

/** A host, and what was ended in it. */
function world(places: WaitingPlaces = { global: {}, process: {} }, raw = false) {
  const host = new Host();
  const ended: string[] = [];
  const terminal = { isRaw: () => raw, restore: () => void ended.push("restored") };
  const ends = new EndsWithProcess(host, places, raw ? terminal : { ...terminal, restore: () => undefined });
  return { host, ended, ends, add: (name: string) => ends.add(() => void ended.push(name)) };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const listeners = (host: Host): number[] => [...signals, "exit"].map((name) => host.listenerCount(name));

describe("what ends with the process", () => {
  it("listens only while there is something to end", () => {
    const { host, add } = world();
    expect(listeners(host)).toEqual([0, 0, 0, 0]);
    const [one, two] = [add("one"), add("two")];
    expect(listeners(host)).toEqual([1, 1, 1, 1]);
    one();
    one();
    expect(listeners(host)).toEqual([1, 1, 1, 1]);
    two();
    expect(listeners(host)).toEqual([0, 0, 0, 0]);
  });

  it.each(signals)(
    "%s in a process whose terminal is raw is heard from the first program on, and restores it",
    (signal) => {
      const { host, ended, add } = world(undefined, true);
      add("one")();
      const stays = add("two");
      expect(listeners(host)).toEqual([1, 1, 1, 1]);
      stays();
      host.emit(signal, signal);
      expect([ended, host.killed, listeners(host)]).toEqual([["restored"], [[7, signal, 0]], [0, 0, 0, 0]]);
    },
  );

  it.each(signals)("%s ends everything, and then the process by that very signal", (signal) => {
    const { host, ended, add } = world();
    add("one");
    add("two");
    host.emit(signal, signal);
    expect([ended, host.killed, listeners(host)]).toEqual([["one", "two"], [[7, signal, 0]], [0, 0, 0, 0]]);
  });

  it("an exit ends everything once", () => {
    const { host, ended, add } = world();
    add("one");
    host.emit("exit", 0);
    host.emit("exit", 0);
    expect([ended, host.killed]).toEqual([["one"], []]);
  });

  it.each(signals)(
    "%s that the host listens to is the host's: it may go on, and its exit ends everything",
    (signal) => {
      const { host, ended, add } = world();
      add("one");
      host.on(signal, () => undefined);
      host.emit(signal, signal);
      expect([ended, host.killed]).toEqual([[], []]);
      host.emit("exit", 0);
      expect(ended).toEqual(["one"]);
    },
  );

  it("a host that stops listening and sends the signal again is heard", async () => {
    const { host, ended, add } = world();
    add("one");
    const heard = (): void => {
      host.off("SIGINT", heard);
      host.kill(7, "SIGINT");
    };
    host.on("SIGINT", heard);
    host.emit("SIGINT", "SIGINT");
    await expect.poll(() => ended).toEqual(["one"]);
    expect(host.killed.at(-1)).toEqual([7, "SIGINT", 0]);
  });

  it.each(["first", "last"])("two copies of the package end theirs both (%s that hears it)", async (order) => {
    const { host, ended, add } = world();
    const other = new EndsWithProcess(host, { global: {}, process: {} });
    const theirs = () => other.add(() => void ended.push("theirs"));
    if (order === "first") theirs();
    add("ours");
    if (order === "last") theirs();
    host.emit("SIGINT", "SIGINT");
    await expect.poll(() => [...ended].sort()).toEqual(["ours", "theirs"]);
    expect(host.killed.at(-1)).toEqual([7, "SIGINT", 0]);
  });

  /** As the library does it: it acts where every listener is one that waits for others. */
  const waits = (host: Host, count: () => number, acted: string[]): void => {
    const heard = (): void => {
      if (host.listenerCount("SIGINT") !== count()) return;
      acted.push("acted");
      host.off("SIGINT", heard);
      host.kill(7, "SIGINT");
    };
    host.on("SIGINT", heard);
  };

  it.each([
    [4, "before"],
    [4, "behind"],
    [3, "before"],
    [3, "behind"],
  ])("a listener of signal-exit %i, %s ours, waits for others as ours does, and both act", async (version, order) => {
    const global = { [Symbol.for("signal-exit emitter")]: { count: version === 4 ? 1 : 0 } };
    const { host, ended, add } = world({
      global,
      process: version === 3 ? { __signal_exit_emitter__: { count: 1 } } : {},
    });
    const acted: string[] = [];
    if (order === "behind") add("one");
    waits(host, () => 1, acted);
    if (order === "before") add("one");
    host.emit("SIGINT", "SIGINT");
    await expect.poll(() => acted).toEqual(["acted"]);
    expect([ended, host.killed.at(-1)]).toEqual([["one"], [7, "SIGINT", 0]]);
  });
});
