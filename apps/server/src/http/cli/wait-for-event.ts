import type { ServerResponse } from "node:http";
import type { WebsiteId } from "#domain/ids";
import type { TransportServices } from "#operations/kernel/transport-services";

/** Waits until something happened on this website, `end` says so, or the client has gone. */
export function waitForEvent(
  { signals }: TransportServices,
  websiteId: WebsiteId,
  end: AbortSignal,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      unsubscribe();
      end.removeEventListener("abort", done);
      response.off("close", done);
      resolve();
    };
    const unsubscribe = signals.subscribe((signal) => {
      if (signal === "everything" || (signal.topic !== "access" && signal.id === websiteId)) done();
    });
    end.addEventListener("abort", done);
    response.once("close", done);
    if (end.aborted) done();
  });
}
