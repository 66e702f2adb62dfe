import type { Setup } from "#operations/without-actor/setup";
import type { ApiRoute } from "./api.ts";
import { sendData } from "./json.ts";

/** The facts about this install that the sign-in page needs. */
export interface InstallFacts {
  readonly signups: "open" | "invited";
  /** Whether emails can be sent; without it links are passed on by hand. */
  readonly mail: boolean;
  readonly version: string;
}

/** `GET /api/install`: for everyone. */
export function installRoute(setup: Setup, facts: InstallFacts): ApiRoute {
  return {
    method: "GET",
    path: "/install",
    async handle({ response }) {
      sendData(response, { needsSetup: await setup.isNeeded(), ...facts });
    },
  };
}
