import { newId } from "#domain/ids";
import type { UsageRow } from "#ports/platform";
import { createUsage, type Usage } from "./usage.ts";
import { createWarnings, type UsageServices } from "./warnings.ts";

/** Usage with what happens beside the request path: stored each second, and owners warned. */
export interface Counting {
  readonly usage: Usage;
  /** Stores what was counted, now. */
  flush(): Promise<void>;
  /** Stores the last of it. */
  close(): Promise<void>;
}

export function startCounting(options: {
  services: UsageServices;
  /** Patterns by number. */
  routes: readonly string[];
  log: { error(facts: object, message: string): void };
  flushMillis: number;
}): Counting {
  const { services, log } = options;
  const warnings = createWarnings(services);
  const toWarn = new Map<UsageRow["workspaceId"], string>();
  const usage = createUsage({
    usage: services.platform.usage,
    routes: options.routes,
    makeBatchId: () => newId("request"),
    onTrouble: (message, error) => log.error({ err: error }, message),
    flushMillis: options.flushMillis,
    onStored(rows, month) {
      for (const { workspaceId, counted } of rows) if (counted > 0) toWarn.set(workspaceId, month);
    },
  });

  async function flush(): Promise<void> {
    await usage.flush();
    for (const [workspaceId, month] of toWarn) {
      const meter = usage.meters.find(workspaceId);
      if (meter) await warnings.look(workspaceId, meter, month);
      toWarn.delete(workspaceId);
    }
  }

  let isFailing = false;
  let isFlushing = false;
  async function flushQuietly(): Promise<void> {
    // A database that hangs must not be asked once more every second.
    if (isFlushing) return;
    isFlushing = true;
    try {
      await flush();
      isFailing = false;
    } catch (error) {
      // Said once, not every second.
      if (!isFailing) log.error({ err: error }, "Counted requests cannot be stored; they are kept and tried again");
      isFailing = true;
    }
    isFlushing = false;
  }
  const timer = setInterval(() => void flushQuietly(), options.flushMillis);
  timer.unref();

  return {
    usage,
    flush,
    async close() {
      clearInterval(timer);
      try {
        await flush();
      } catch (error) {
        log.error({ err: error }, "The requests counted in the last moments could not be stored and are lost");
      }
      await usage.close();
    },
  };
}
