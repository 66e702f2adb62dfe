import { z } from "zod";
import type { SignUp } from "#operations/without-actor/sign-up";
import { emailAddress, nameOf, newPassword } from "#operations/kernel/inputs";
import type { ClientAddress } from "../shared/client-address.ts";
import type { ApiRoute } from "./api.ts";
import { type Attempts, createAttempts, EMAIL_ATTEMPTS } from "../shared/attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import type { Rates } from "#usage/rates/rates";
import { deviceOf, type Sessions } from "../shared/sessions.ts";

const MOST_BYTES = 64 * 1024;

const asked = z.strictObject({ email: emailAddress });
const finished = z.strictObject({ email: emailAddress, token: z.string().max(200), name: nameOf(), password: newPassword });

/**
 * `/api/sign-up`: an account by email, where sign-ups are open and mail is set up. Whether an address has an account is told only
 * in the email to that address, so the response is the same either way.
 * The person who follows the link chooses name and password: an earlier password could come from somebody who cannot read the email.
 */
export function signUpRoutes(options: {
  signUp: SignUp;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
  rates: Rates;
}): readonly ApiRoute[] {
  const { signUp, sessions, attempts, clientAddress, rates } = options;
  const emails = createAttempts("sign-up email", EMAIL_ATTEMPTS, rates);
  return [
    {
      method: "POST",
      path: "/sign-up",
      async handle(call) {
        const address = clientAddress(call.request);
        await attempts.begin(address, null);
        const { email } = parseInput(asked, await readJson(call, MOST_BYTES));
        await emails.begin(address, email);
        await signUp.ask(email);
        sendData(call.response, { sent: true });
      },
    },
    {
      method: "POST",
      path: "/sign-up/finish",
      async handle(call) {
        await attempts.begin(clientAddress(call.request), null);
        const userId = await signUp.finish(parseInput(finished, await readJson(call, MOST_BYTES)));
        call.response.setHeader("Set-Cookie", await sessions.start(userId, deviceOf(call.request, clientAddress)));
        sendData(call.response, { userId });
      },
    },
  ];
}
