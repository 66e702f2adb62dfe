import { z } from "zod";
import { systemActor } from "#domain/actor";
import { fail } from "#domain/failure";
import { createAccount } from "#operations/accounts/create-account";
import { letterToHolder, letterToNewcomer } from "#operations/accounts/sign-up-letters";
import { execute } from "#operations/kernel/execute";
import { emailAddress, nameOf, newPassword } from "#operations/kernel/inputs";
import type { Services } from "#operations/kernel/services";
import type { ClientAddress } from "../client-address.ts";
import type { ApiRoute } from "./api.ts";
import { type Attempts, createAttempts, LETTERS } from "./attempts.ts";
import { parseInput, readJson, sendData } from "./json.ts";
import { deviceOf, type Sessions } from "./sessions.ts";

const MOST_BYTES = 64 * 1024;

const asked = z.strictObject({ email: emailAddress });
const finished = z.strictObject({ email: emailAddress, token: z.string().max(200), name: nameOf(), password: newPassword });

/**
 * `/api/sign-up`: an account by letter, where sign-ups are open and mail is set up. Whether an address has an account is told to
 * whoever reads its letters, so both answers are one, and take as long: a token is made for either, and nobody waits for the letter.
 * Name and password are chosen by whoever follows the link: a password from before would be somebody's who does not read the letters.
 */
export function signUpRoutes(options: {
  services: Services;
  sessions: Sessions;
  attempts: Attempts;
  clientAddress: ClientAddress;
}): readonly ApiRoute[] {
  const { services, sessions, attempts, clientAddress } = options;
  const { accounts, mailer, onTrouble } = services;
  const letters = createAttempts(LETTERS);
  return [
    {
      method: "POST",
      path: "/sign-up",
      async handle(call) {
        const address = clientAddress(call.request);
        attempts.begin(address, null);
        const { email } = parseInput(asked, await readJson(call, MOST_BYTES));
        letters.begin(address, email);
        const [account, token] = [await accounts.findByEmail(email), await accounts.startSignUp(email)];
        const letter = account ? letterToHolder(services, account) : letterToNewcomer(services, email, token);
        mailer.send(letter).catch((error: unknown) => onTrouble("A letter to somebody who signs up was not sent", error));
        sendData(call.response, { sent: true });
      },
    },
    {
      method: "POST",
      path: "/sign-up/finish",
      async handle(call) {
        attempts.begin(clientAddress(call.request), null);
        const { email, token, name, password } = parseInput(finished, await readJson(call, MOST_BYTES));
        if (!(await accounts.finishSignUp(email, token))) {
          throw fail(
            "NOT_FOUND",
            "This link was used already, is older than an hour, or was not copied whole. Sign up again for a new one.",
          );
        }
        const { id } = await execute(services, createAccount, systemActor("sign-up"), { email, name, password, emailVerified: true });
        call.response.setHeader("Set-Cookie", await sessions.start(id, deviceOf(call.request, clientAddress)));
        sendData(call.response, { userId: id });
      },
    },
  ];
}
