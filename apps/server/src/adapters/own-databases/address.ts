import { isIP, isIPv6 } from "node:net";
import { invalid } from "#domain/failure";
import { type AddressOptions, decoded, isDatabaseName, readOptions } from "./address-options.ts";

export interface Host {
  /** A name, or an IP address without brackets; in lower case. */
  readonly name: string;
  readonly port: number;
}

/** An address of a customer's database, taken apart. It holds a password: it is never logged or shown. */
export interface Address {
  /** With `mongodb+srv://` the one name that stands for all hosts. */
  readonly hosts: readonly Host[];
  readonly srv: boolean;
  readonly user: { readonly name: string; readonly password: string } | null;
  readonly database: string;
  /** Where the user is known, if the address says so: by an option, or by naming a database. */
  readonly authSource: string | null;
  readonly options: Omit<AddressOptions, "namesCaFile" | "tls" | "authSource">;
  readonly tls: boolean;
}

const MAX_CHARACTERS = 2_000;
/** As many as a replica set can have. */
const MAX_HOSTS = 50;
const DEFAULT_PORT = 27_017;
const DEFAULT_DATABASE = "stet";
const KEPT_BY_SERVERS = new Set(["admin", "local", "config"]);

/** Takes an address apart; what is wrong with it is said without repeating any of it but the name of an option. */
export function readAddress(text: string, pasted: { readonly ca: boolean } = { ca: false }): Address {
  const address = parse(text.trim(), pasted.ca);
  if (typeof address === "string") throw invalid([{ field: "url", message: address }]);
  return address;
}

function parse(text: string, hasCa: boolean): Address | string {
  if (text.length > MAX_CHARACTERS) return `The address is longer than ${MAX_CHARACTERS.toLocaleString("en")} characters.`;
  const [, scheme, rest] = /^(mongodb(?:\+srv)?):\/\/([\x21-\x7e]+)$/i.exec(text) ?? [];
  if (!scheme || !rest) return "Enter an address that starts with mongodb:// or mongodb+srv://, without spaces.";
  const srv = scheme.toLowerCase() === "mongodb+srv";
  const [, authority = "", path = "", query = ""] = /^([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/.exec(rest) ?? [];
  if (path.includes("@")) return "The password contains a / or an @. Write / as %2F and @ as %40.";
  const user = readUser(authority);
  if (typeof user === "string") return user;
  const hosts = readHosts(authority.slice(authority.lastIndexOf("@") + 1), srv);
  if (typeof hosts === "string") return hosts;
  const database = path === "" ? DEFAULT_DATABASE : decoded(path);
  if (database === null || !isDatabaseName(database) || KEPT_BY_SERVERS.has(database))
    return "The database after the / cannot have this name. Use letters, digits, - and _, and not admin, local or config.";
  const options = readOptions(query);
  if (typeof options === "string") return options;
  const { tls = srv, namesCaFile, authSource = path === "" ? null : database, ...own } = options;
  if (namesCaFile && !hasCa) return "The option tlsCAFile names a file. Paste the certificates in that file into the certificate field.";
  if (srv && own.directConnection) return "The option directConnection does not go with mongodb+srv://. Remove it.";
  if (own.directConnection && hosts.length > 1) return "The option directConnection goes with one host only. Remove it.";
  return { hosts, srv, user, database, authSource, options: own, tls };
}

function readUser(authority: string): Address["user"] | string {
  const end = authority.lastIndexOf("@");
  if (end === -1) return null;
  const userinfo = authority.slice(0, end);
  if (/<[^>]*>/.test(userinfo))
    return "The address still has a placeholder such as <password>. Replace it with the password, without < and >.";
  const colon = userinfo.indexOf(":");
  const [name, password] = [decoded(userinfo.slice(0, colon)), decoded(userinfo.slice(colon + 1))];
  if (colon < 1 || userinfo.length === colon + 1) return "The address has no user name or no password. Write mongodb://user:password@host.";
  if (userinfo.includes("@") || userinfo.indexOf(":", colon + 1) !== -1 || name === null || password === null)
    return "The user name or password has signs that must be percent-encoded: write % as %25, : as %3A, @ as %40 and / as %2F.";
  return { name, password };
}

function readHosts(text: string, srv: boolean): readonly Host[] | string {
  const hosts = text.split(",").map((entry) => readHost(entry));
  const wrong = hosts.find((host) => typeof host === "string");
  if (typeof wrong === "string") return wrong;
  const found = hosts as Exclude<(typeof hosts)[number], string>[];
  if (found.length > MAX_HOSTS) return `The address names more than ${MAX_HOSTS} hosts.`;
  if (!srv) return found.map(({ name, port }) => ({ name, port: port ?? DEFAULT_PORT }));
  const [only] = found;
  if (found.length !== 1 || !only || only.port !== null || isIP(only.name) !== 0 || only.name.split(".").length < 3)
    return "After mongodb+srv:// comes one host name with at least three parts and no port, such as cluster0.abc12.mongodb.net.";
  return [{ name: only.name, port: DEFAULT_PORT }];
}

const NO_HOST = "A host of the address cannot be read. Write host names such as db.example.com:27017, joined by commas.";

export function readHost(text: string): { name: string; port: number | null } | string {
  if (/%|\.sock/i.test(text)) return "Sockets and percent-encoded hosts are not supported. Use a host name.";
  const [, literal, name, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (literal !== undefined ? !isIPv6(literal) : !isHostName(name ?? "")) return NO_HOST;
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535)) return NO_HOST;
  return { name: (literal ?? name ?? "").toLowerCase(), port: port === undefined ? null : Number(port) };
}

/**
 * A name, or an IPv4 address in its plain form. Other forms of one (`0x7f.1`, `2130706433`, `127.1`) end in a number, which no
 * name of the internet does.
 */
export function isHostName(name: string): boolean {
  if (isIP(name) === 4) return true;
  const labels = name.replace(/\.$/, "").split(".");
  const isName = name.length <= 253 && labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/i.test(label));
  return isName && !/^(?:\d+|0x[\da-f]*)$/i.test(labels.at(-1)!);
}

/** What can be shown: the hosts and the database, no user and no password. */
export function shownAddress({ hosts, srv, database }: Address): string {
  const names = hosts.map(({ name, port }) => `${isIPv6(name) ? `[${name}]` : name}${srv ? "" : `:${port}`}`);
  return `${srv ? "mongodb+srv" : "mongodb"}://${names.join(",")}/${database}`;
}
