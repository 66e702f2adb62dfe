import { fail, type Failure } from "#domain/failure";

/** 409 with the version that is there now, so that the caller can read it and decide. */
export function versionConflict(what: string, currentVersion: number | null): Failure {
  const next = currentVersion === null ? "It was removed." : `The current version is ${currentVersion}: read it, then decide what to keep.`;
  return fail("VERSION_CONFLICT", `The ${what} was changed since you read it. Nothing was overwritten. ${next}`, {
    currentVersion,
  });
}
