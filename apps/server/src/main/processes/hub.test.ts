import { expect, test } from "vitest";
import type { Signal, Signals } from "#ports/signals";
import { createHub, type Hub, type Sibling, TRUST_MILLIS } from "./hub.ts";
import type { ToChild } from "./messages.ts";
import { createSiblingSignals, type SiblingSignals } from "./sibling-signals.ts";

const CHANGE: Signal = { topic: "content", id: "site_1" };

/** What the database tells; a test speaks for it. */
function fromOutside(): Signals & { tell(signal: Signal): void } {
  const listeners = new Set<Parameters<Signals["subscribe"]>[0]>();
  return {
    tell: (signal) => listeners.forEach((listener) => listener(signal)),
    tellHere: async () => {},
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: async () => {},
  };
}

interface Process {
  readonly signals: SiblingSignals;
  readonly heard: (Signal | "everything")[];
  readonly sibling: Sibling;
  /** Messages wait while it hangs. */
  hang(): void;
  goOn(): void;
}

function startProcess(hub: Hub, now: () => number): Process {
  const held: ToChild[] = [];
  let hangs = false;
  const heard: Process["heard"] = [];
  const sibling: Sibling = { send: (message) => (hangs ? void held.push(message) : signals.received(message)) };
  const signals: SiblingSignals = createSiblingSignals((message) => hub.received(sibling, message), now);
  signals.subscribe((signal) => void heard.push(signal));
  hub.add(sibling);
  hub.ready(sibling);
  return {
    signals,
    heard,
    sibling,
    hang: () => void (hangs = true),
    goOn() {
      hangs = false;
      for (const message of held.splice(0)) signals.received(message);
    },
  };
}

test("a change is told as heard when every process has heard it, and its own process hears it first", async () => {
  const hub = createHub(fromOutside());
  const [one, two] = [startProcess(hub, () => 0), startProcess(hub, () => 0)];
  const telling = one.signals.tellHere(CHANGE);
  expect(one.heard).toEqual([CHANGE]);
  await telling;
  expect([one.heard, two.heard]).toEqual([[CHANGE], [CHANGE]]);
});

test("changes of jobs and of other nodes reach every process", async () => {
  const outside = fromOutside();
  const hub = createHub(outside);
  const processes = [startProcess(hub, () => 0), startProcess(hub, () => 0)];
  const here: unknown[] = [];
  hub.subscribe((signal) => void here.push(signal));
  await hub.tellHere(CHANGE);
  outside.tell({ topic: "access", id: "ws_1" });
  for (const heard of [here, ...processes.map((each) => each.heard)]) expect(heard).toEqual([CHANGE, { topic: "access", id: "ws_1" }]);
});

test("a process that hangs holds a change up for a bounded time, and trusts nothing that it remembers when it goes on", async () => {
  let now = 1_000;
  const hub = createHub(fromOutside(), { now: () => now, trustMillis: 20 });
  const [one, two] = [startProcess(hub, () => now), startProcess(hub, () => now)];
  hub.beat();
  two.signals.trustOrForget();
  expect(two.heard).toEqual([]);
  two.hang();
  const before = performance.now();
  await one.signals.tellHere(CHANGE);
  expect(performance.now() - before).toBeGreaterThan(15);
  // It wakes up, and a request comes before the message.
  now += TRUST_MILLIS;
  two.signals.trustOrForget();
  expect(two.heard).toEqual(["everything"]);
  two.goOn();
  expect(two.heard).toEqual(["everything", CHANGE]);
});

test("a process that has ended, or does not serve yet, holds nothing up; the second hears it all the same", async () => {
  const hub = createHub(fromOutside(), { trustMillis: 60_000 });
  const [one, two] = [startProcess(hub, () => 0), startProcess(hub, () => 0)];
  two.hang();
  const telling = one.signals.tellHere(CHANGE);
  hub.remove(two.sibling);
  await telling;
  const sent: ToChild[] = [];
  hub.add({ send: (message) => void sent.push(message) });
  await one.signals.tellHere(CHANGE);
  expect(sent).toMatchObject([{ type: "hear", signal: CHANGE }]);
});

test("without a beat nothing is trusted", () => {
  const signals = createSiblingSignals(() => {});
  const heard: unknown[] = [];
  signals.subscribe((signal) => void heard.push(signal));
  signals.trustOrForget();
  expect(heard).toEqual(["everything"]);
});
