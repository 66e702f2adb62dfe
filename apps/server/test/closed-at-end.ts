import { afterAll } from "vitest";

/** What a file of tests opens for all of them, closed after the last one. */
export function closedAtEnd<Opened extends { close(): Promise<void> }>(opened: Opened): Opened {
  afterAll(() => opened.close());
  return opened;
}
