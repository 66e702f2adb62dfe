import { isIPv6 } from "node:net";
import type { MongoClient } from "mongodb";
import type { Address } from "./address.ts";
import type { Gate } from "./gate.ts";
import type { Seeds } from "./seeds.ts";

export interface DriverLimits {
  /** Until a member that takes writes is found, in milliseconds. */
  readonly selectionMillis: number;
  /** How long a server can be silent on a request, in milliseconds. */
  readonly answerMillis: number;
  readonly connections: number;
  readonly idleMillis: number;
}

export interface OpenedClient {
  readonly client: MongoClient;
  /** Why the gate last refused something to this client. */
  readonly lastRefusal: () => Error | null;
  close(): Promise<void>;
}

/** A client of one cluster that knows no way out but the gate. It connects when it is first asked for something. */
export async function openClient(
  gate: Gate,
  address: Address & { readonly ca: readonly string[] },
  seeds: Seeds,
  limits: DriverLimits,
): Promise<OpenedClient> {
  // Only here: an install without a customer's database never loads the driver, which takes a tenth of its memory.
  const { MongoClient, BSON } = await import("mongodb");
  let refusal: Error | null = null;
  const { pass, revoke } = await gate.admit({
    tls: address.tls,
    ca: address.ca,
    deserialize: (document) => BSON.deserialize(document),
    onRefusal: (reason) => {
      refusal = reason;
    },
  });
  const { user, options } = address;
  const hosts = seeds.hosts.map(({ name, port }) => `${isIPv6(name) ? `[${name}]` : name}:${port}`);
  const client = new MongoClient(`mongodb://${hosts.join(",")}/`, {
    ...pass,
    // The gate opens TLS: the driver speaks to it within this machine.
    tls: false,
    ...(user && { auth: { username: user.name, password: user.password }, authSource: seeds.authSource ?? "admin" }),
    ...(user && options.authMechanism && { authMechanism: options.authMechanism }),
    ...(seeds.replicaSet !== null && { replicaSet: seeds.replicaSet }),
    ...(options.directConnection !== undefined && { directConnection: options.directConnection }),
    // Not every server has the driver's own retries of writes; those of the content store work with all of them.
    retryWrites: options.retryWrites ?? false,
    readPreference: "primary",
    writeConcern: { w: "majority" },
    appName: "stet",
    ignoreUndefined: true,
    // Texts are bounded and judged where documents are parsed; to look at each sign takes four times as long as to decode it.
    enableUtf8Validation: false,
    serverSelectionTimeoutMS: limits.selectionMillis,
    connectTimeoutMS: 5_000,
    socketTimeoutMS: limits.answerMillis,
    waitQueueTimeoutMS: limits.selectionMillis,
    maxPoolSize: limits.connections,
    maxConnecting: 2,
    maxIdleTimeMS: limits.idleMillis,
    // Members are asked now and then. Streams of news would let a server send as many as it likes.
    serverMonitoringMode: "poll",
  });
  // Nobody else listens, and an error without a listener ends the process.
  client.on("error", () => {});
  return {
    client,
    lastRefusal: () => refusal,
    async close() {
      try {
        await client.close();
      } finally {
        revoke();
      }
    },
  };
}
