import { readHost } from "./address.ts";

/*
 * Fields of a reply that the driver believes while it runs in the background: who belongs to the cluster, and how to prove that we
 * know the password. A value of another type would surface as an error that nobody waits for, and one of another size as memory.
 */
type Check = (value: unknown) => boolean;
type Fields = Readonly<Record<string, unknown>>;

const absentOr =
  (check: Check): Check =>
  (value) =>
    value === undefined || value === null || check(value);
const isShort: Check = (value) => typeof value === "string" && value.length <= 300;
const isNumber: Check = (value) => typeof value === "number" && Number.isFinite(value);
const isSize: Check = (value) => typeof value === "number" && Number.isInteger(value) && value >= 1_000;
const isFlag: Check = (value) => typeof value === "boolean";
const isList =
  (check: Check, most: number): Check =>
  (value) =>
    Array.isArray(value) && value.length <= most && value.every(check);
/** A document can have a field of this name too; the types of the driver have it in their class. */
const bsonType = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Object.hasOwn(value, "_bsontype") ? Reflect.get(value, "_bsontype") : undefined;
const isBson =
  (type: string): Check =>
  (value) =>
    bsonType(value) === type;
const fieldsOf = (value: unknown): Fields | null =>
  typeof value === "object" && value !== null && !Array.isArray(value) && bsonType(value) === undefined ? (value as Fields) : null;
const isObject =
  (checks: Readonly<Record<string, Check>>): Check =>
  (value) => {
    const fields = fieldsOf(value);
    return fields !== null && Object.entries(checks).every(([name, check]) => check(fields[name]));
  };
/** A member that is no host, such as a socket, is refused here; which address a host has is judged when it is connected to. */
const isMember: Check = (value) => typeof value === "string" && typeof readHost(value) === "object";
/** As many as a replica set can have. */
const isMembers = isList(isMember, 50);

/** The work that a server can ask for to prove a password. MongoDB asks for 15,000 rounds. */
const MAX_ROUNDS = 100_000;

/** A message of SCRAM: short, and with a bounded number of rounds. */
const isProof: Check = (value) => {
  if (bsonType(value) !== "Binary") return false;
  const text = Buffer.from((value as { value(): Uint8Array }).value()).toString("latin1");
  const rounds = text.split(",").filter((part) => part.startsWith("i="));
  return text.length <= 2_000 && rounds.every((part) => /^i=\d{1,6}$/.test(part) && Number(part.slice(2)) <= MAX_ROUNDS);
};

const CHECKS: Readonly<Record<string, Check>> = {
  hosts: isMembers,
  passives: isMembers,
  arbiters: isMembers,
  me: isMember,
  primary: isMember,
  setName: isShort,
  setVersion: isNumber,
  electionId: isBson("ObjectId"),
  tags: (value) => Object.values(fieldsOf(value) ?? { wrong: 0 }).every(isShort),
  lastWrite: isObject({ lastWriteDate: absentOr((value) => value instanceof Date) }),
  msg: isShort,
  ismaster: isFlag,
  isWritablePrimary: isFlag,
  minWireVersion: isNumber,
  maxWireVersion: isNumber,
  logicalSessionTimeoutMinutes: isNumber,
  maxBsonObjectSize: isSize,
  maxMessageSizeBytes: isSize,
  maxWriteBatchSize: (value) => isNumber(value) && Number(value) >= 1,
  compression: isList(isShort, 20),
  saslSupportedMechs: isList(isShort, 20),
  speculativeAuthenticate: isObject({ payload: isProof, conversationId: isNumber }),
  payload: isProof,
  conversationId: isNumber,
  topologyVersion: isObject({ processId: isBson("ObjectId"), counter: (value) => isNumber(value) || bsonType(value) === "Long" }),
  $clusterTime: isObject({
    clusterTime: isBson("Timestamp"),
    signature: absentOr(isObject({ hash: isBson("Binary"), keyId: (value) => isNumber(value) || bsonType(value) === "Long" })),
  }),
  isreplicaset: isFlag,
};

/**
 * Replies with one of these are read before the driver gets them. The time of the cluster is in every reply of a replica set, also in
 * long ones: what waits for that reply hears of it when it is wrong.
 */
export const BELIEVED: ReadonlySet<string> = new Set(Object.keys(CHECKS).filter((name) => name !== "$clusterTime"));

/** The field that is not as the driver needs it, or null. */
export function wrongField(reply: Fields): string | null {
  return Object.entries(CHECKS).find(([name, check]) => !absentOr(check)(reply[name]))?.[0] ?? null;
}
