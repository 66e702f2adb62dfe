import { z } from "zod";
import type { SignUp } from "#operations/without-actor/sign-up";
import { emailAddress, nameOf, newPassword } from "#operations/kernel/inputs";
import type { ClientAddress } from "../shared/client-address.ts";
import type { ApiRoute } from "./api.ts";
import { type Attempts, createAttempts, EMAIL_ATTEMPTS } from "../shared/attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "../shared/sessions.ts";

const MOST_BYTES = 64 * 1024;

const asked = z.strictObject({ email: emailAddress });
const finished = z.strictObject({ email: emailAddress, token: z.string().max(200), name: nameOf(), password: newPassword });

/**
 * `/api/sign-up`: an account by letter, where sign-ups are open and mail is set up. Whether an address has an account is told to
 * whoever reads its letters, so both answers are one.
 * The person who follows the link chooses name and password: an earlier password could come from somebody who cannot read the email.
 */
export function signUpRoutes(options: {
  signUp: SignUp;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
}): readonly ApiRoute[] {
  const { signUp, sessions, attempts, clientAddress } = options;
  const emails = createAttempts(EMAIL_ATTEMPTS);
  return [
    {
      method: "POST",
      path: "/sign-up",
      async handle(call) {
        const address = clientAddress(call.request);
        attempts.begin(address, null);
        const { email } = parseInput(asked, await readJson(call, MOST_BYTES));
        emails.begin(address, email);
        await signUp.ask(email);
        sendData(call.response, { sent: true });
      },
    },
    {
      method: "POST",
      path: "/sign-up/finish",
      async handle(call) {
        attempts.begin(clientAddress(call.request), null);
        const userId = await signUp.finish(parseInput(finished, await readJson(call, MOST_BYTES)));
        call.response.setHeader("Set-Cookie", await sessions.start(userId, deviceOf(call.request, clientAddress)));
        sendData(call.response, { userId });
      },
    },
  ];
}
