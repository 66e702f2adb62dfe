import type { WebsiteId } from "#domain/ids";
import { noLongerThan } from "#domain/no-longer-than";
import { HOUR, MINUTE, SECOND } from "#domain/time";
import type { Website } from "#domain/website";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import type { Sweep } from "./sweeps.ts";

/** A sweep over stores. */
export interface StoreSweep {
  readonly name: string;
  /** How long it rests when there is nothing left to do. */
  readonly everyMillis: number;
  /** How long it rests when there is; without it, it goes on at once. */
  readonly pauseMillis?: number;
  /** It writes much anew that is there already, which can wait until the disk of our own database has room. */
  readonly rewrites?: true;
  readonly sweep: Sweep;
}

/** Each is visited so often at most: most have nothing to do, and a visit may open the database of somebody else. */
const VISIT_MILLIS = 5 * MINUTE;
/** One that fails is visited ever more rarely, down to this. */
const RAREST_MILLIS = HOUR;
const AT_ONCE = 16;
/** How long others wait for a visit. It may go on in the background, and there is no second one meanwhile. */
const PATIENCE_MILLIS = 20 * SECOND;
/** Steps of one sweep in one visit; what is left then is done with the next. */
const MOST_STEPS = 20;

interface Visits {
  dueAt: number;
  failures: number;
  underWay: boolean;
  /** When each sweep looked last and found nothing left. */
  readonly doneAt: Map<string, number>;
}

/**
 * Visits the databases of customers, side by side, and does there what is done in our own store all the time. One that fails or does
 * not answer is told of and visited later; it keeps none of the others waiting, and our own store is swept by other jobs.
 */
export function sweepOwnStores(
  sweeps: readonly StoreSweep[],
  { patienceMillis = PATIENCE_MILLIS }: { patienceMillis?: number } = {},
): (services: Services, stopping?: AbortSignal) => Promise<number> {
  const visits = new Map<WebsiteId, Visits>();

  async function visit(services: Services, website: Website, known: Visits): Promise<void> {
    known.underWay = true;
    try {
      await services.contents.withContent(website, async (content) => {
        for (const { name, everyMillis, sweep } of sweeps) {
          if (services.clock().getTime() - (known.doneAt.get(name) ?? 0) < everyMillis) continue;
          let left = true;
          for (let step = 0; left && step < MOST_STEPS; step++) left = (await sweep(services, content, website.id)) > 0;
          if (!left) known.doneAt.set(name, services.clock().getTime());
        }
      });
      known.failures = 0;
    } catch (error) {
      known.failures += 1;
      services.onTrouble(`The content database of ${website.id} could not be swept; it is tried again later`, error);
    } finally {
      known.underWay = false;
      known.dueAt = services.clock().getTime() + Math.min(RAREST_MILLIS, VISIT_MILLIS * 2 ** known.failures);
    }
  }

  return async (services, stopping) => {
    const now = services.clock().getTime();
    const websites = await services.platform.homes.listOwn();
    for (const id of visits.keys()) if (!websites.some((website) => website.id === id)) visits.delete(id);
    const due = websites.flatMap((website) => {
      const known = visits.get(website.id) ?? { dueAt: 0, failures: 0, underWay: false, doneAt: new Map<string, number>() };
      visits.set(website.id, known);
      return known.dueAt <= now && !known.underWay ? [{ website, known }] : [];
    });
    await eachOf(due, AT_ONCE, ({ website, known }) => noLongerThan(patienceMillis, visit(services, website, known), stopping), stopping);
    return 0;
  };
}
