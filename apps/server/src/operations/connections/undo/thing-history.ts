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
  const last = Math.max(0, ...changes.map(({ version }) => version));
  const version = current === null ? last + 1 : Number(current.version);
  states.set(version, current);
  // Written down before it was made: it was, if the thing was like that at the version after it.
  const made = changes.filter(
    (change) => states.has(change.version + 1) && isDeepStrictEqual(states.get(change.version + 1), change.after),
  );
  const isVoid = voidedBy(made.flatMap(({ version: at, undoes }) => (undoes ? [{ version: at, undoneTo: undoes.undoneTo }] : [])));
  const isMine = ({ by }: ThingChange) => by.id === request.connectionId;
  const inForce = made.filter((change) => isMine(change) && !isVoid(change.version + 1));
  const asked = inForce.filter(({ at }) => at >= request.since && at <= request.until);
  const [earliest] = asked;
  if (!earliest) return null;
  const strange = versionsAfter(earliest.version, version).filter(
    (each) => !isVoid(each) && !isSameThing(states.get(each - 1), states.get(each)) && !isOurs(made, each, request.connectionId),
  );
  // Another tool's change lies on top of ours, and ours on top of that: ours goes, the rest when that tool's is undone.
  const isTools = strange.every((each) =>
    made.some((change) => change.version + 1 === each && (change.by.type === "tool" || change.undoes)),
  );
  const first = isTools ? asked.find((change) => change.version >= Math.max(0, ...strange)) : undefined;
  const changedAgain = inForce.some((change) => change.version > (first ?? earliest).version && millis(change.at) > millis(request.until));
  return { first: first ?? earliest, changedByOthers: !first, changedAgain, version };
}

const isOurs = (made: readonly ThingChange[], version: number, connectionId: GrantId): boolean =>
  made.some((change) => change.version + 1 === version && (change.by.id === connectionId || change.undoes?.connectionId === connectionId));

/** A save that changed nothing is in nobody's way. */
function isSameThing(one: ThingState | undefined, other: ThingState | undefined): boolean {
  if (!one || !other) return false;
  const without = ({ version: _v, updatedAt: _u, pastSlugs: _p, ...rest }: JsonObject) => rest;
  return isDeepStrictEqual(without(one), without(other));
}

export const versionsAfter = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first }, (_, i) => first + 1 + i);

/** An undo restores an earlier version to the letter: everything between the two, itself included, is as if it had not been. */
export function voidedBy(undos: readonly { readonly version: number; readonly undoneTo: number }[]): (version: number) => boolean {
  return (version) => undos.some((undo) => version > undo.undoneTo && version <= undo.version + 1);
}
