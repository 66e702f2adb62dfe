import type { Problem } from "@stet/contract";
import { type Credentials, deleteCredentials, readCredentials, writeCredentials } from "./credentials.ts";
import { refresh } from "./token-endpoint.ts";

const NOT_SIGNED_IN = "You are not signed in. Run: stet login";

export async function requireCredentials(): Promise<Credentials> {
  const credentials = await readCredentials();
  if (!credentials) throw new Error(NOT_SIGNED_IN);
  return credentials;
}

/** Asks the server as the person who signed in; when the access token has expired, it fetches the next and asks again. */
export async function ask<T>(path: string, signal?: AbortSignal): Promise<T> {
  const credentials = await requireCredentials();
  const first = await get(credentials, path, signal);
  if (first.status !== 401) return read<T>(first);
  const renewed = await refresh(credentials);
  if ("error" in renewed) {
    if (renewed.error === "invalid_grant" || renewed.error === "invalid_client") await deleteCredentials();
    throw new Error(`You are no longer signed in at ${credentials.url}. Run: stet login`);
  }
  await writeCredentials(renewed);
  return read<T>(await get(renewed, path, signal));
}

function get({ url, accessToken }: Credentials, path: string, signal?: AbortSignal): Promise<Response> {
  const end = signal ?? AbortSignal.timeout(60_000);
  return fetch(url + path, { headers: { Authorization: `Bearer ${accessToken}` }, redirect: "error", signal: end }).catch(
    (error: unknown) => {
      if (signal?.aborted) throw error;
      throw new Error(`${url} does not respond. Is the service running?`);
    },
  );
}

async function read<T>(response: Response): Promise<T> {
  const body = (await response.json().catch(() => ({}))) as { data?: T } & Partial<Problem>;
  if (response.ok && body.data !== undefined) return body.data;
  throw new Error(body.detail ?? `The server responded with status ${response.status}.`);
}
