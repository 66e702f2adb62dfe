import { isRefusedThere } from "#domain/content-home";
import { fail, Failure } from "#domain/failure";
import { OwnStoreFault } from "#domain/own-image-store";
import type { Services } from "#operations/kernel/services";
import type { HeldMove } from "#ports/moves";

/** What its owner can do something about: why the database was not reached. */
export function inWords({ ownDatabases }: Services, { websiteId }: HeldMove, error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== "CONTENT_STORE_UNAVAILABLE") return error;
  if (isRefusedThere(error)) {
    error.cause = new OwnStoreFault(error.message);
    return error;
  }
  const { lastError } = ownDatabases.health(websiteId);
  if (lastError === null) return error;
  const failure = fail("CONTENT_STORE_UNAVAILABLE", error.message);
  failure.cause = new OwnStoreFault(`Your database could not be reached: ${lastError} Stet keeps trying.`);
  return failure;
}
