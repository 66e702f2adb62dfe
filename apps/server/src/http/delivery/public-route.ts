import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestContext } from "../dispatcher.ts";

interface PublicContext extends RequestContext {
  /** By name, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The client, as limits count it: an IPv6 client is its /64. */
  readonly clientAddress: string;
  readonly now: Date;
}

/**
 * An address below /v1 that needs no key. The request id, CORS and limit headers are set on the response before `handle` is
 * called (use `response.writeHead` with an object, or setHeader); what it throws becomes problem+json. Preflights are answered.
 */
export interface PublicRoute {
  /** The pattern below /v1, such as `/preview/{token}`. */
  readonly path: string;
  /** Such as GET and HEAD, or POST. */
  readonly methods: readonly string[];
  /** It has a limit of its own, so the bucket of the address is not asked. */
  readonly isLimitedElsewhere?: boolean;
  /**
   * Pages may send it with credentials, as beacons with JSON do: the origin is named then, because `*` does not cover those. Only
   * for an address that reads no cookie and tells nothing.
   */
  readonly takesCredentials?: boolean;
  handle(request: IncomingMessage, response: ServerResponse, context: PublicContext): Promise<void>;
}
