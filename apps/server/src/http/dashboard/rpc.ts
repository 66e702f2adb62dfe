import { userActor } from "#domain/actor";
import { fail } from "#domain/failure";
import { inPool } from "#domain/pool";
import type { Operation } from "#operations/kernel/operation";
import type { TransportServices } from "#operations/kernel/transport-services";
import { type OperationName, registry } from "#operations/registry";
import type { ClientAddress } from "../shared/client-address.ts";
import type { ApiRoute } from "./api.ts";
import { type AttemptRules, type Attempts, createAttempts } from "../shared/attempts.ts";
import { readBodyInLine } from "../shared/large-bodies.ts";
import { untilGone } from "../shared/hang-up.ts";
import { readJson, sendData } from "./json.ts";
import type { Rates } from "#usage/rates/rates";
import { asSignedIn, type Sessions } from "../shared/sessions.ts";

/** A body of 1 MiB with everything escaped, and the fields around it. */
const MOST_BYTES = 4 * 1024 * 1024;

/** These have addresses of their own: they take or give what is no JSON, or are done only by answering the consent page. */
const ELSEWHERE: ReadonlySet<string> = new Set<OperationName>(["export_website", "import_website", "add_media", "connect_tool"]);

/** Invitations go to any address, with words that the sender chose: enough for a large team, too few to send advertising. */
const INVITATIONS: AttemptRules = {
  address: { ratePerSecond: 1 / 10, burst: 200 },
  account: { ratePerSecond: 1 / 60, burst: 50 },
};
/** Letters that ask an address whether it is the person's. */
const PROOFS: AttemptRules = {
  address: { ratePerSecond: 1 / 60, burst: 50 },
  account: { ratePerSecond: 1 / 600, burst: 5 },
};

export interface RpcOptions {
  readonly services: TransportServices;
  readonly sessions: Sessions;
  readonly attempts: Attempts;
  readonly clientAddress: ClientAddress;
  readonly rates: Rates;
}

/** `POST /api/rpc/{operation}`: any operation of the registry, as the person who is signed in. */
export function rpcRoute({ services, sessions, attempts, clientAddress, rates }: RpcOptions): ApiRoute {
  const proofs = createAttempts("proof email", PROOFS, rates);
  const emails = new Map<OperationName, Attempts>([
    ["invite_member", createAttempts("invitation", INVITATIONS, rates)],
    ["change_email", proofs],
    ["send_email_proof", proofs],
  ]);
  return {
    method: "POST",
    path: "/rpc/{operation}",
    async handle(call) {
      const output = await asSignedIn(sessions, call.request, async (userId, confirm) => {
        const operation = operationNamed(call.params.operation ?? "");
        const input = await readJson(call, MOST_BYTES, (...body) => readBodyInLine(...body, services.lines.bodies, userId));
        const limit = emails.get(operation.name as OperationName);
        // Attempts are counted for the person, so it must be certain who that is.
        if (limit || asksForPassword(input)) await confirm();
        const address = clientAddress(call.request);
        const giveBackEmail = await limit?.begin(address, userId);
        try {
          // A person who has only the session must not find out the password by trying.
          const succeeded = asksForPassword(input) ? await attempts.begin(address, userId) : () => {};
          const done = await inPool(
            "writes",
            () => services.execute(operation, userActor(userId), input, confirm()),
            untilGone(call.response),
          );
          succeeded();
          return done;
        } catch (error) {
          giveBackEmail?.();
          throw error;
        }
      });
      sendData(call.response, output);
    },
  };
}

const asksForPassword = (input: unknown): boolean => typeof input === "object" && input !== null && "password" in input;

function operationNamed(name: string): Operation {
  if (!Object.hasOwn(registry, name) || ELSEWHERE.has(name)) throw fail("ROUTE_NOT_FOUND", `There is no operation ${name.slice(0, 64)}.`);
  return registry[name as OperationName] as unknown as Operation;
}
