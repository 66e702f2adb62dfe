import type { Output } from "../../api/wire.ts";
import { ApiProblem, messageOf } from "../../lib/problem.ts";

export type ImageStorage = Output<"get_image_store">;
export type ImageMove = NonNullable<ImageStorage["move"]>;
export type OwnStorage = NonNullable<ImageStorage["store"]>;

/** Why the storage was not connected. The server names the address, which people typed in parts. */
export function connectProblem(error: unknown): string {
  if (!(error instanceof ApiProblem)) return messageOf(error);
  const message = error.fieldError("address");
  if (message === undefined) return messageOf(error);
  return "step" in error.facts ? message : `Check these details. The address ${message}`;
}
