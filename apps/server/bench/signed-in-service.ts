import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { type ServiceProcess, startService } from "#test/service-process";

const ACCOUNT = { email: "bench@example.com", password: "a password for the bench" };

/** A service with a website and somebody who is signed in. */
export interface SignedInService {
  readonly service: ServiceProcess;
  readonly websiteId: string;
  /** Reads the website. */
  readonly key: string;
  /** Of the session. */
  readonly cookie: string;
  /** An operation of the private API, as it is answered. */
  ask(operation: string, input: object): Promise<Response>;
}

/** Starts the service of this checkout or another one, in a data folder of its own. */
export async function openSignedIn(root: string, data: string, settings: Record<string, string> = {}): Promise<SignedInService> {
  const cli = path.join(root, "apps/server/src/main/cli.ts");
  const names = ["--email", ACCOUNT.email, "--password", ACCOUNT.password, "--workspace", "Bench", "--website", "Bench", "--plan", "team"];
  const made = await promisify(execFile)(process.execPath, [cli, "bootstrap", ...names, "--posts", "0", "--json"], {
    cwd: root,
    env: { PATH: process.env.PATH, STET_DATA: data, STET_LOG: "warn" },
  });
  const { websiteId, apiKey: key } = JSON.parse(made.stdout) as { websiteId: string; apiKey: string };
  const service = await startService({ STET_DATA: data, ...settings }, cli);
  const post = (address: string, body: object, cookie = "") => {
    const headers = { "Content-Type": "application/json", Origin: service.url, Cookie: cookie };
    return service.fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const signedIn = await post("/api/auth/sign-in/email", ACCOUNT);
  await signedIn.arrayBuffer();
  if (!signedIn.ok) throw new Error(`Signing in was answered with ${signedIn.status}.`);
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.slice(0, each.indexOf(";")))
    .join("; ");
  return { service, websiteId, key, cookie, ask: (operation, input) => post(`/api/rpc/${operation}`, { websiteId, ...input }, cookie) };
}
