import { z } from "zod";
import { nameOf } from "#operations/kernel/inputs";
import type { OpenInvitations } from "#operations/without-actor/open-invitations";
import type { ClientAddress } from "../shared/client-address.ts";
import type { ApiRoute } from "./api.ts";
import type { Attempts } from "../shared/attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "../shared/sessions.ts";

const input = z.strictObject({
  name: nameOf(),
  password: z.string(),
  /** From the link in the email. */
  mailed: z.string().max(200).optional(),
});

/**
 * `/api/invitations/{token}`: what an invitation offers, and joining without having an account yet. Whoever has one signs in
 * and accepts as an operation.
 */
export function invitationRoutes(options: {
  invitations: OpenInvitations;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
}): readonly ApiRoute[] {
  const { invitations, sessions, attempts, clientAddress } = options;
  return [
    {
      method: "GET",
      path: "/invitations/{token}",
      async handle({ request, response, params }) {
        await attempts.begin(clientAddress(request), null);
        sendData(response, await invitations.offer(params.token ?? ""));
      },
    },
    {
      method: "POST",
      path: "/invitations/{token}/sign-up",
      async handle(call) {
        await attempts.begin(clientAddress(call.request), null);
        const given = parseInput(input, await readJson(call, 64 * 1024));
        const { userId, joined } = await invitations.signUp(call.params.token ?? "", given);
        call.response.setHeader("Set-Cookie", await sessions.start(userId, deviceOf(call.request, clientAddress)));
        sendData(call.response, joined);
      },
    },
  ];
}
