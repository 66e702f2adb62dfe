import type { Db } from "mongodb";
import type { allowedAddresses } from "#domain/network-addresses";
import type { Names } from "#ports/names";
import type { OwnDatabaseConnection, OwnDatabases } from "#ports/own-databases";
import { type Address, readAddress, shownAddress } from "./address.ts";
import { createClusters, type ClustersOptions } from "./clusters.ts";
import { openClient } from "./driver.ts";
import { createGate } from "./gate.ts";
import { readCertificates } from "./pasted-certificates.ts";
import { findSeeds, type Seeds } from "./seeds.ts";
import { leastPrivileges, testConnection } from "./test-connection.ts";

export interface OwnDatabasesOptions extends Pick<ClustersOptions, "contentOn" | "schema" | "onOutcome"> {
  readonly names: Names;
  /** Public addresses, and those that the operator opened. */
  readonly allowed: ReturnType<typeof allowedAddresses>;
  /** Databases that are open at once. */
  readonly mostOpen: number;
  readonly limits?: Partial<typeof LIMITS>;
}

export const LIMITS = {
  /** A database that nobody uses is closed after so long. */
  idleMillis: 60_000,
  /** For a name, a connection and TLS together. */
  dialMillis: 5_000,
  /** Until a member that takes writes is found. */
  selectionMillis: 3_000,
  /** From a request to its answer. */
  answerMillis: 15_000,
  /** Works of one website at a time, and connections of its pool. */
  inFlight: 10,
  testMillis: 10_000,
};
/** The driver gives up first where a server is silent; the gate where it drips. */
const GATE_GRACE_MILLIS = 2_000;

export function createOwnDatabases(options: OwnDatabasesOptions): OwnDatabases {
  const limits = { ...LIMITS, ...options.limits };
  const { names, allowed } = options;
  const gate = createGate({
    names,
    allowed,
    timeoutMillis: limits.dialMillis,
    answerMillis: limits.answerMillis + GATE_GRACE_MILLIS,
  });
  const parse = ({ url, ca }: OwnDatabaseConnection): Address & { ca: readonly string[] } => ({
    ...readAddress(url, { ca: ca !== null }),
    ca: ca === null ? [] : readCertificates(ca),
  });
  const open = (address: Address & { ca: readonly string[] }, seeds: Seeds) =>
    openClient(gate, address, seeds, {
      selectionMillis: limits.selectionMillis,
      answerMillis: limits.answerMillis,
      connections: limits.inFlight,
      idleMillis: limits.idleMillis,
    });
  const clusters = createClusters({
    async open(connection) {
      const address = parse(connection);
      const opened = await open(address, await findSeeds(address, names));
      return { opened, database: opened.client.db(address.database) satisfies Db };
    },
    contentOn: options.contentOn,
    schema: options.schema,
    ...(options.onOutcome && { onOutcome: options.onOutcome }),
    most: options.mostOpen,
    idleMillis: limits.idleMillis,
    inFlight: limits.inFlight,
    patienceMillis: limits.selectionMillis,
    now: () => performance.now(),
  });
  return {
    schemaVersion: options.schema.version,
    read(connection) {
      const address = parse(connection);
      return { shown: shownAddress(address), database: address.database, leastPrivileges: leastPrivileges(address.database) };
    },
    async test(connection, ours, isInUse) {
      const address = parse(connection);
      const dialing = { names, allowed, tls: address.tls, ca: address.ca, timeoutMillis: limits.dialMillis };
      return testConnection(address, { dialing, open: (seeds) => open(address, seeds), ours, isInUse, patienceMillis: limits.testMillis });
    },
    withCluster: clusters.withCluster,
    health: clusters.health,
    forget: clusters.forget,
    async close() {
      await clusters.close();
      await gate.close();
    },
  };
}
