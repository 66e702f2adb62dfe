import type { IncomingMessage } from "node:http";
import { newId, type RequestId } from "#domain/ids";
import { headerOf } from "./shared/header-of.ts";

const WELL_FORMED = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's id when it is well formed, so that both sides can find one request in their logs; else a fresh one. */
export function requestIdOf(request: IncomingMessage): RequestId {
  const given = headerOf(request, "x-request-id");
  return given !== undefined && WELL_FORMED.test(given) ? (given as RequestId) : newId("request");
}
