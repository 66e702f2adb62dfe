import { postJson } from "./request.ts";
import type { Input, OperationName, Output } from "./wire.ts";

/** Runs one operation of the server's registry as the person who is signed in. */
export async function rpc<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  init: Pick<RequestInit, "signal" | "keepalive"> = {},
): Promise<Output<Name>> {
  const { data } = await postJson<{ data: Output<Name> }>(`/api/rpc/${name}`, input, init);
  return data;
}
