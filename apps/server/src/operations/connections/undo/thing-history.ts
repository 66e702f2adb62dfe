import { isDeepStrictEqual } from "node:util";
import type { GrantId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import { millis } from "#domain/time";
import type { ThingChange } from "../../kernel/thing-changes.ts";
import type { UndoRequest } from "./plan-undo-of-post.ts";

/** A term or an image as its history knows it; null: it is not there. */
export type ThingState = JsonObject | null;

export interface ThingHistory {
  /** The connection's first change in the time asked for that is still in force. */
  readonly first: ThingChange;
  /** Somebody else changed it afterwards. */
  readonly changedByOthers: boolean;
  /** The connection changed it once more after the time asked for. */
  readonly changedAgain: boolean;
  /** The version that is there now; one that was deleted has the version after its last. */
  readonly version: number;
}

/** Reads the changes of a thing against what it is now. Null: the connection changed nothing of it that is still in force. */
export function readThingHistory(changes: readonly ThingChange[], current: ThingState, request: UndoRequest): ThingHistory | null {
  const states = new Map<number, ThingState>(changes.map(({ version, before }) => [version, before]));
  // Only of those that took it away: one that was to bring it back may not have been made.
  const last = Math.max(0, ...changes.filter(({ after }) => after === null).map(({ version }) => version));
  const version = current === null ? last + 1 : Number(current.version);
  states.set(version, current);
  // Written down before it was made: it was, if the thing was like that at the version after it.
  const made = changes.filter(
    (change) => states.has(change.version + 1) && isDeepStrictEqual(states.get(change.version + 1), change.after),
  );
  const isTools = (each: number) =>
    made.some((change) => change.version + 1 === each && (change.by.type === "tool" || change.undoes !== null));
  const isVoid = cancelled(new Map([...states].map(([each, state]) => [each, sameness(state, isTools(1))])), isTools);
  const isMine = ({ by }: ThingChange) => by.id === request.connectionId;
  const inForce = made.filter((change) => isMine(change) && !isVoid(change.version + 1));
  const asked = inForce.filter(({ at }) => at >= request.since && at <= request.until);
  const [earliest] = asked;
  if (!earliest) return null;
  const isKnown = (each: number) => isVoid(each) || isOurs(made, each, request.connectionId);
  const strange = strangeVersions(earliest.version, version, isKnown, isTools);
  // Another tool's change lies on top of ours, and ours on top of that: ours goes, the rest when that tool's is undone.
  const first = strange.every(isTools) ? asked.find((change) => change.version >= Math.max(0, ...strange)) : undefined;
  const changedAgain = inForce.some((change) => change.version > (first ?? earliest).version && millis(change.at) > millis(request.until));
  return { first: first ?? earliest, changedByOthers: !first, changedAgain, version };
}

const isOurs = (made: readonly ThingChange[], version: number, connectionId: GrantId): boolean =>
  made.some((change) => change.version + 1 === version && (change.by.id === connectionId || change.undoes === connectionId));

/** The same for two states that are the same to writers and readers. An image that a tool made is in the trash as if it had never been there. */
function sameness(state: ThingState, isMade: boolean): string {
  if (!state || (isMade && (state.deletedAt ?? null) !== null)) return "not there";
  const { version: _v, updatedAt: _u, pastSlugs: _p, ...rest } = state;
  return JSON.stringify(Object.entries(rest).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The versions that are not accounted for, up to the first that no tool made: that one decides, whatever follows it. Nobody counts on from
 * there: a record from an import or a customer's database says any version, and a list up to it would fill the memory.
 */
export function strangeVersions(
  first: number,
  last: number,
  isKnown: (version: number) => boolean,
  isTools: (version: number) => boolean,
): readonly number[] {
  const strange: number[] = [];
  for (let version = first + 1; version <= last; version++) {
    if (isKnown(version)) continue;
    strange.push(version);
    if (!isTools(version)) break;
  }
  return strange;
}

/**
 * Where tools, and undos of them, made a thing again what it was, everything that lies between is as if it had not been: so an undo of one app
 * stands in no other's way. Not where a person had a hand in it: a tool that reverts a person has changed something. `states` has the versions
 * that are known; the way through them is followed, and each loop in it is cut off where it closes.
 */
export function cancelled(states: ReadonlyMap<number, string>, isTools: (version: number) => boolean): (version: number) => boolean {
  const way: { readonly version: number; readonly state: string }[] = [];
  const loops: { readonly first: number; readonly last: number }[] = [];
  for (const version of [...states.keys()].toSorted((one, other) => one - other)) {
    const state = states.get(version)!;
    const index = way.findLastIndex((step) => step.state === state);
    const first = way[index]?.version;
    if (first === undefined || strangeVersions(first, version, isTools, isTools).length > 0) {
      way.push({ version, state });
      continue;
    }
    way.length = index + 1;
    loops.push({ first, last: version });
  }
  return (version) => loops.some(({ first, last }) => version > first && version <= last);
}
