import { setImmediate } from "node:timers/promises";

/** How long documents are decoded before everybody else gets a turn, in milliseconds. */
const TURN_MILLIS = 4;

/**
 * The documents of an answer, decoded one by one, with pauses. The driver's own `toArray` decodes all that a server sent in one piece: a
 * customer's server can send megabytes where little was asked for, and every other website of the process would wait for them.
 */
export async function* eachDocument<Found>(answer: AsyncIterable<Found>): AsyncGenerator<Found, void, undefined> {
  let since = performance.now();
  for await (const document of answer) {
    yield document;
    if (performance.now() - since < TURN_MILLIS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** All of them, or as many as can be right: more would only have to be looked through. */
export async function allDocuments<Found>(answer: AsyncIterable<Found>, most = Number.POSITIVE_INFINITY): Promise<Found[]> {
  const all: Found[] = [];
  for await (const document of eachDocument(answer)) if (all.push(document) >= most) break;
  return all;
}
