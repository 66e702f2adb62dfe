/** What an address can say about a connection. Everything else is ours, or refused by name. */
export interface AddressOptions {
  readonly authSource?: string;
  readonly replicaSet?: string;
  readonly authMechanism?: "SCRAM-SHA-1" | "SCRAM-SHA-256";
  readonly directConnection?: boolean;
  readonly tls?: boolean;
  readonly retryWrites?: boolean;
  /** The address names a file with certificates, as those of DocumentDB do: they have to be pasted instead. */
  readonly namesCaFile?: true;
}

/** Why an option is refused, in words that follow its name. */
type Read = (value: string) => AddressOptions | string;

const flag =
  (name: "directConnection" | "tls" | "retryWrites"): Read =>
  (value) =>
    value === "true" || value === "false" ? { [name]: value === "true" } : "must be true or false";
const MECHANISMS = ["SCRAM-SHA-1", "SCRAM-SHA-256"] as const;
/** Ours is used: majority, primary, our name and our own time in which idle connections are closed. */
const ours: Read = () => ({});
const caFile: Read = () => ({ namesCaFile: true });
const unverified: Read = () => "turns off the check of the server's certificate, which is always made. Remove it";

/** Names are compared in lower case, as drivers do: Cosmos DB writes `retrywrites`. */
const OPTIONS = new Map<string, Read>(
  Object.entries({
    authsource: (value: string) => (isDatabaseName(value) ? { authSource: value } : "must be the name of a database, such as admin"),
    replicaset: (value: string) => (/^[\w.-]{1,128}$/.test(value) ? { replicaSet: value } : "must be the name of a replica set"),
    authmechanism: (value: string) => {
      const found = MECHANISMS.find((mechanism) => mechanism === value);
      return found ? { authMechanism: found } : "must be SCRAM-SHA-1 or SCRAM-SHA-256";
    },
    directconnection: flag("directConnection"),
    tls: flag("tls"),
    ssl: flag("tls"),
    retrywrites: flag("retryWrites"),
    w: ours,
    appname: ours,
    readpreference: ours,
    maxidletimems: ours,
    tlscafile: caFile,
    ssl_ca_certs: caFile,
    tlsinsecure: unverified,
    tlsallowinvalidcertificates: unverified,
    tlsallowinvalidhostnames: unverified,
  }),
);

/** Not one of the databases that servers keep for themselves; `admin` is where users are known. */
export const isDatabaseName = (name: string): boolean => /^[^\s/\\."$*<>:|?\p{Cc}]+$/u.test(name) && Buffer.byteLength(name) <= 63;

/** The options behind the question mark, or why they are refused, by name. */
export function readOptions(query: string): AddressOptions | string {
  const found: Record<string, unknown> = {};
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [name = "", ...rest] = pair.split("=");
    const value = decoded(rest.join("="));
    // A name that is not one is not repeated: it may be part of a password.
    if (!/^[A-Za-z_]{1,64}$/.test(name) || value === null)
      return "The options after the question mark cannot be read. Write name=value, joined by &.";
    const read = OPTIONS.get(name.toLowerCase());
    if (!read) return `The option ${name} is not supported. Remove it.`;
    const option = read(value);
    if (typeof option === "string") return `The option ${name} ${option}.`;
    for (const [key, setting] of Object.entries(option)) {
      if (key in found && found[key] !== setting) return `The option ${name} is given twice with different values. Keep one.`;
      found[key] = setting;
    }
  }
  return found;
}

/** Percent-decoded, or null where that cannot be done. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
