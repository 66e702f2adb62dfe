import { isIP, connect as connectTcp, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { allowedAddresses } from "#domain/network-addresses";
import type { Names, Resolved } from "#ports/names";
import { type Host, isHostName } from "./address.ts";

/** The step of a connection that failed, and a sentence that says what to do next. */
export class DialFailure extends Error {
  override readonly name = "DialFailure";
  readonly step: "name" | "tcp" | "tls";

  constructor(step: DialFailure["step"], message: string, cause?: unknown) {
    super(message, { cause });
    this.step = step;
  }
}

export interface DialOptions {
  readonly names: Names;
  /** Public addresses, and those that the operator opened. */
  readonly allowed: ReturnType<typeof allowedAddresses>;
  readonly tls: boolean;
  /** The only authorities that are trusted; without any, those that Node brings. */
  readonly ca: readonly string[];
  /** For the name, the connection and TLS together, in milliseconds. */
  readonly timeoutMillis: number;
}

/** Below are services that were never meant to be talked to as a database: mail, shells, directories. */
const FIRST_FREE_PORT = 1_024;

/** A connection to a host whose addresses were judged, with verified TLS. It connects to what was judged and asks nobody again. */
export async function dial(host: Host, options: DialOptions): Promise<Socket> {
  const late = AbortSignal.timeout(options.timeoutMillis);
  const found = await orLate(resolve(host, options.names), late, () => named(host, "did not resolve in time. Check its DNS records"));
  judge(host, found, options);
  const socket = await reach(host, found, late);
  return options.tls ? secure(socket, host, options.ca, late) : socket;
}

const named = ({ name }: Host, problem: string): DialFailure => new DialFailure("name", `The host name ${name} ${problem}.`);

async function resolve(host: Host, names: Names): Promise<readonly Resolved[]> {
  const family = isIP(host.name);
  if (family !== 0) return [{ address: host.name, family }];
  if (!isHostName(host.name)) throw new DialFailure("name", "The database announces a member that is not a host name.");
  const found = await names.addresses(host.name).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOTFOUND" || error.code === "ENODATA"
      ? named(host, "was not found. Check its spelling and its DNS records")
      : named(host, "could not be resolved. Try again, and check its name servers");
  });
  if (found.length === 0) throw named(host, "has no address. Check its DNS records");
  return found;
}

/** One closed address among several refuses the name. */
function judge({ name, port }: Host, found: readonly Resolved[], { allowed, tls }: DialOptions): void {
  const isOpened = found.every(({ address }) => allowed.isOpened(address));
  if (!found.every(({ address }) => allowed(address)))
    throw new DialFailure("name", `${name} is a private or reserved address. Use one that is reachable from the public internet.`);
  if (!tls && !isOpened)
    throw new DialFailure("tls", `Connections to ${name} must be encrypted. Add tls=true to the address, and switch TLS on at the server.`);
  if (port < FIRST_FREE_PORT && !isOpened)
    throw new DialFailure("tcp", `Port ${port} of ${name} is not allowed. Use one above 1023, such as 27017.`);
}

const TCP_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refuses connections. Check the port, and that the server is running",
  ETIMEDOUT: "did not answer in time. Check the port, and that its firewall lets this server in",
  EHOSTUNREACH: "cannot be reached. Check its network",
  ENETUNREACH: "cannot be reached. Check its network",
};

async function reach({ name, port }: Host, found: readonly Resolved[], late: AbortSignal): Promise<Socket> {
  const lookup: LookupFunction = (_, { all }, callback) =>
    all ? callback(null, [...found]) : callback(null, found[0]!.address, found[0]!.family);
  const socket = connectTcp({ host: name, port, lookup, autoSelectFamily: true, noDelay: true, keepAlive: true });
  const fault = (code: string) =>
    new DialFailure("tcp", `${name}:${port} ${TCP_FAULTS[code] ?? `cannot be reached${code && ` (${code})`}. Check its network`}.`);
  return ready(socket, "connect", late, (error) => fault(error ? codeOf(error) : "ETIMEDOUT"));
}

const TLS_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired. Renew it",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed. Paste it into the certificate field to trust it",
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by an unknown authority. Paste the certificate of the authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is signed by an unknown authority. Paste the certificate of the authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by an unknown authority. Paste the certificate of the authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host name. Use the name that the certificate has",
};

async function secure(socket: Socket, { name, port }: Host, ca: readonly string[], late: AbortSignal): Promise<Socket> {
  const isAddress = isIP(name) !== 0;
  const encrypted = connectTls({
    socket,
    // The certificate must be for the name that was asked for, whatever address it stands for.
    host: name,
    ...(!isAddress && { servername: name }),
    ...(ca.length > 0 && { ca: [...ca] }),
    minVersion: "TLSv1.2",
    rejectUnauthorized: true,
  });
  encrypted.disableRenegotiation();
  return ready(encrypted, "secureConnect", late, (error) => {
    const problem = error && TLS_FAULTS[codeOf(error)];
    if (problem) return new DialFailure("tls", `The certificate of ${name} ${problem}.`, error);
    const what = error ? `failed${codeOf(error) && ` (${codeOf(error)})`}` : "did not finish in time";
    return new DialFailure("tls", `TLS with ${name}:${port} ${what}. Check that the server has TLS 1.2 or newer switched on.`, error);
  });
}

/** Several addresses were tried: what the first said stands for all. */
const codeOf = (error: Error): string => {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  return (first as NodeJS.ErrnoException).code ?? "";
};

/** The socket once it is connected; the fault after an error, or without one when it took too long or just ended. */
function ready<S extends Socket>(socket: S, event: string, late: AbortSignal, fault: (error: Error | null) => DialFailure): Promise<S> {
  return new Promise((resolvePromise, reject) => {
    const settle = (failure: DialFailure | null) => {
      late.removeEventListener("abort", onLate);
      socket
        .removeAllListeners(event)
        .removeAllListeners("close")
        .removeAllListeners("error")
        .on("error", () => {});
      if (!failure) return resolvePromise(socket);
      socket.destroy();
      return reject(failure);
    };
    const onLate = () => settle(fault(null));
    late.addEventListener("abort", onLate);
    socket
      .once(event, () => settle(null))
      .once("error", (error) => settle(fault(error)))
      .once("close", () => settle(fault(Object.assign(new Error("Closed"), { code: "ECONNRESET" }))));
  });
}

function orLate<T>(work: Promise<T>, late: AbortSignal, fault: () => Error): Promise<T> {
  return new Promise((resolvePromise, reject) => {
    late.addEventListener("abort", () => reject(fault()), { once: true });
    work.then(resolvePromise, reject);
  });
}
