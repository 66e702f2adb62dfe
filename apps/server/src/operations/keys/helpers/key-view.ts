import { z } from "zod";
import { invalid, notFound } from "#domain/failure";
import type { KeyId } from "#domain/ids";
import { parseOrigins } from "#domain/origins";
import type { ApiKey } from "#domain/website";
import { idOf, type InWebsite } from "../../kernel/operation.ts";

/** A key as its managers see it. The hash stays where it is needed. */
export interface KeyView extends Omit<ApiKey, "hash" | "secretId"> {
  readonly status: "live" | "revoked";
}

export function keyView(key: ApiKey): KeyView {
  const { hash: _hash, secretId: _secretId, ...shown } = key;
  return { ...shown, status: key.revokedAt ? "revoked" : "live" };
}

export const keyId = idOf<KeyId>("key");

/** How many entries are allowed, and what each may be, is domain/origins' business; this bounds what it is given. */
export const originsInput = z.array(z.string().max(300, "must not be over 300 characters")).max(1_000, "must not be over 1000");

/** Requests a month. */
export const monthlyCapInput = z.int().positive().nullable();

export function requireOrigins(list: readonly string[]): readonly string[] {
  const { origins, errors } = parseOrigins(list);
  if (errors.length > 0) throw invalid(errors);
  return origins;
}

export async function findKey({ services, website }: InWebsite, id: KeyId): Promise<ApiKey> {
  const key = await services.platform.keys.get(website.id, id);
  if (!key) throw notFound("key");
  return key;
}
