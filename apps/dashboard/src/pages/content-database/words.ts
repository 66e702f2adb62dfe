import type { Output } from "../../api/wire.ts";
import { formatNumber } from "../../lib/format.ts";
import { ApiProblem, messageOf } from "../../lib/problem.ts";
import { timeLeft } from "../../lib/time-left.ts";

export type ContentDatabase = Output<"get_own_database">;
export type OwnDatabase = NonNullable<ContentDatabase["database"]>;
export type ContentMove = NonNullable<ContentDatabase["move"]>;
export type DatabaseCheck = Output<"check_own_database">;
type FailedStep = Extract<Output<"test_own_database">["report"], { passed: false }>["step"];

const FAILED: Readonly<Record<FailedStep, string>> = {
  name: "Host not reachable",
  tcp: "No connection to the database",
  tls: "Encryption failed",
  authentication: "Sign-in refused",
  version: "Server not supported",
  marker: "Database already in use",
  privileges: "Permissions missing",
  storage: "No space left",
};

export interface Problem {
  readonly step?: FailedStep;
  readonly title?: string;
  readonly message: string;
}

export const failedTest = ({ step, message }: { readonly step: FailedStep; readonly message: string }): Problem => ({
  step,
  title: FAILED[step],
  message,
});

/** Why the database was not connected or tested. What the server says of a field is a sentence already. */
export function connectProblem(error: unknown): Problem {
  if (!(error instanceof ApiProblem)) return { message: messageOf(error) };
  const message = error.fieldError("url") ?? error.fieldError("ca") ?? messageOf(error);
  const { step } = error.facts;
  return typeof step === "string" && step in FAILED ? failedTest({ step: step as FailedStep, message }) : { message };
}

const PHASES: Readonly<Record<ContentMove["phase"], string>> = {
  preparing: "Preparing the database",
  copying: "Copying",
  comparing: "Comparing every record",
};

/** What is going on, at which rate, and how long it takes; only copying knows the last. */
export function moveFacts({ phase, perSecond, secondsLeft }: ContentMove): readonly (string | false | null)[] {
  const isCopying = phase === "copying";
  return [
    PHASES[phase],
    isCopying && perSecond !== null && `${formatNumber(perSecond)} records a second`,
    isCopying && timeLeft(secondsLeft),
  ];
}

/** The move to the database that is connected now, if there was one. */
export const moveTo = ({ move }: ContentDatabase): ContentMove | null => (move?.toThisDatabase ? move : null);

/** What creates a user that can do just what is needed. */
export function createUserCommand(address: string): string {
  const [, named] = /^mongodb(?:\+srv)?:\/\/[^/?]*\/([\w-]+)/i.exec(address.trim()) ?? [];
  const database = named ?? "DATABASE";
  return `use ${database}\ndb.createUser({ user: "stet", pwd: passwordPrompt(), roles: [{ role: "readWrite", db: "${database}" }] })`;
}
