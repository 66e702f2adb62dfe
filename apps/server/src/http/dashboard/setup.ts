import { type Setup, setupInput } from "#operations/without-actor/setup";
import type { ClientAddress } from "../shared/client-address.ts";
import type { ApiRoute } from "./api.ts";
import type { Attempts } from "../shared/attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "../shared/sessions.ts";

/** `POST /api/setup`: the first owner, with a workspace, a website and a key that is shown this once. */
export function setupRoute(options: { setup: Setup; sessions: Sessions; attempts: Attempts; clientAddress: ClientAddress }): ApiRoute {
  const { setup, sessions, attempts, clientAddress } = options;
  return {
    method: "POST",
    path: "/setup",
    async handle(call) {
      await attempts.begin(clientAddress(call.request), null);
      const raw = await readJson(call, 64 * 1024);
      setup.requireToken(raw["token"]);
      const { userId, ...made } = await setup.run(parseInput(setupInput, raw));
      call.response.setHeader("Set-Cookie", await sessions.start(userId, deviceOf(call.request, clientAddress)));
      sendData(call.response, made);
    },
  };
}
