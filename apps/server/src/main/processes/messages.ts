import type { PoolOptions } from "#adapters/postgres/pools";
import type { Signal } from "#ports/signals";

/** How much longer than their requests serving processes may take to end, in milliseconds. */
export const ENDING_MILLIS = 5_000;

/** What a serving process needs from its parent to begin. */
export interface ChildStart {
  /** 1 and on; a process that takes the place of one that died has its number. */
  readonly number: number;
  readonly processes: number;
  /** The database, which the parent has opened and migrated. */
  readonly server: Omit<PoolOptions, "connections">;
  readonly secrets: readonly string[];
}

type AnySignal = Signal | "everything";

/** From the parent. `sentAt` is by the steady clock of the machine, which all its processes share, in milliseconds. */
export type ToChild =
  | { readonly type: "start"; readonly start: ChildStart }
  /** Whatever was sent before it has been heard: what is remembered may be trusted for a while. */
  | { readonly type: "beat"; readonly sentAt: number }
  /** A change; `id` asks for `heard`. */
  | { readonly type: "hear"; readonly id: number; readonly signal: AnySignal }
  /** The change with this id has been heard by all. */
  | { readonly type: "told"; readonly id: number }
  | { readonly type: "measure"; readonly id: number }
  | { readonly type: "measured"; readonly id: number; readonly texts: readonly string[] };

/** From a serving process. */
export type ToParent =
  /** It has loaded its code and listens to messages: whatever was sent before is lost. */
  | { readonly type: "loaded" }
  | { readonly type: "ready" }
  | { readonly type: "alive" }
  | { readonly type: "tell"; readonly id: number; readonly signal: Signal }
  | { readonly type: "heard"; readonly id: number }
  | { readonly type: "measure"; readonly id: number }
  | { readonly type: "measured"; readonly id: number; readonly text: string };

/** The steady clock of the machine, in milliseconds: the same in all processes. */
export const steadyMillis = (): number => performance.now() + OFFSET;
const OFFSET = Number(process.hrtime.bigint()) / 1e6 - performance.now();
