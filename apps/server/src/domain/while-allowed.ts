import { type Clock, SECOND } from "./time.ts";

/**
 * Passes on a stream that lasts for as long as whoever sends or takes it likes. Whoever it is may have lost the right to it meanwhile, so
 * `ask` is asked again, at most once a second; what it throws ends the stream.
 */
export async function* whileAllowed<Part>(parts: AsyncIterable<Part>, clock: Clock, ask: () => Promise<unknown>): AsyncGenerator<Part> {
  let askedAt = clock().getTime();
  for await (const part of parts) {
    const now = clock().getTime();
    // A clock can be set back.
    if (Math.abs(now - askedAt) >= SECOND) {
      await ask();
      askedAt = now;
    }
    yield part;
  }
}
