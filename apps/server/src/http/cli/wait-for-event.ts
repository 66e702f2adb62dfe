import type { ServerResponse } from "node:http";
import type { WebsiteId } from "#domain/ids";
import type { Services } from "#operations/kernel/services";

/** Until something happened on this website, the time is over, or whoever asked has gone. */
export function waitForEvent({ signals }: Services, websiteId: WebsiteId, millis: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      unsubscribe();
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, millis);
    const unsubscribe = signals.subscribe((signal) => {
      if (signal === "everything" || (signal.topic !== "access" && signal.id === websiteId)) done();
    });
    response.once("close", done);
  });
}
