import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestId } from "#domain/ids";
import type { KeptBucket } from "#usage/rates/kept-bucket";
import type { KeyEntry } from "./key-cache.ts";

/** One request on its way through the gate, and what is known of it so far. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: RequestId;
  /** The clock is read once. */
  readonly now: number;
  readonly address: string;
  /** The number of its route; 0 while it is not known. */
  route: number;
  /** Set as soon as its key is found to be good. */
  entry: KeyEntry | null;
  /**
   * The bucket that the headers report. With a good key: that of this key and address. Otherwise: that of the address, or its bucket for guesses
   * when too many keys were guessed.
   */
  bucket: KeptBucket | null;
  /** Whether a token was taken for it, from `bucket` and with a key from the website's too. */
  hasPaid: boolean;
  /** `Access-Control-Allow-Origin`; null: the browser must not show the answer to the page. */
  allowOrigin: string | null;
}
