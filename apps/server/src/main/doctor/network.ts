import { createServer } from "node:net";
import type { Config } from "../config.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

export async function checkPublicUrl({ publicUrl }: Pick<Config, "publicUrl">): Promise<readonly Finding[]> {
  const { protocol, hostname } = new URL(publicUrl);
  if (protocol === "https:" || ["localhost", "[::1]"].includes(hostname) || hostname.startsWith("127.")) return [];
  return [warning(`PUBLIC_URL is ${publicUrl}: passwords and keys are sent unencrypted. Put a proxy with TLS in front and use https.`)];
}

/** Free, or in use by Stet itself. */
export async function checkPort({ host, port }: Pick<Config, "host" | "port">): Promise<readonly Finding[]> {
  const error = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const probe = createServer();
    probe.once("error", resolve);
    probe.listen(port, host, () => probe.close(() => resolve(null)));
  });
  if (!error) return [good(`Port ${port} on ${host} is free. Start the service with npm start.`)];
  if (error.code !== "EADDRINUSE") return [problem(`Port ${port} on ${host} cannot be used (${error.code}). Set HOST or PORT.`)];
  const isStet = await fetch(`http://${reachable(host)}:${port}/healthz`, { signal: AbortSignal.timeout(2_000) })
    .then(async (response) => ((await response.json()) as { status?: unknown }).status === "alive")
    .catch(() => false);
  return [
    isStet
      ? good(`The service runs on port ${port}.`)
      : problem(`Port ${port} on ${host} is in use by another program. Stop it, or set PORT.`),
  ];
}

/** An address one can connect to: "all addresses" is not one. */
function reachable(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
