import { fail } from "#domain/failure";
import type { UserId } from "#domain/ids";
import type { Call } from "./operation.ts";

/** The person who asks, in person or through a tool. A job has no account, no membership and no invitations. */
export function userIdOf({ actor }: Call): UserId {
  if (actor.type !== "system") return actor.userId;
  throw fail("INSUFFICIENT_ROLE", "Only a person who is signed in can do this. Do it in the dashboard.", {
    job: actor.job,
  });
}
