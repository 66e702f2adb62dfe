import type { Actor } from "#domain/actor";
import { execute } from "./execute.ts";
import type { Operation, Scope } from "./operation.ts";
import type { Services } from "./services.ts";

/**
 * All that a transport is given. It runs operations, which check who asks and narrow what that person may read; it has no store
 * to go around them with.
 */
export interface TransportServices extends Pick<Services, "clock" | "keyring" | "lines" | "onTrouble" | "settings"> {
  execute<S extends Scope, Input, Output>(
    operation: Operation<S, Input, Output>,
    actor: Actor,
    input: unknown,
    confirmed?: Promise<unknown>,
  ): Promise<Output>;
  /** Announces changes, to wait for one. */
  readonly signals: Pick<Services["signals"], "subscribe">;
}

export function transportServices(services: Services): TransportServices {
  const { clock, keyring, lines, settings, signals, onTrouble } = services;
  return {
    execute: (operation, actor, input, confirmed) => execute(services, operation, actor, input, confirmed),
    clock,
    keyring,
    lines,
    settings,
    signals: { subscribe: (listener) => signals.subscribe(listener) },
    onTrouble,
  };
}
