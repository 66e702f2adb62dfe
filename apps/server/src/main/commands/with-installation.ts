import { type Installation, openInstallation } from "../compose.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../log.ts";

/** Everything a command says besides its result goes to stderr: the result may be read by a program. */
export const say = (message: string): void => void process.stderr.write(`${message}\n`);

/** Opens the install beside the running service, or without one, and closes it whatever happens. */
export async function withInstallation<T>(work: (installation: Installation) => Promise<T>): Promise<T> {
  const config = readConfig();
  const log = createLog(config.logLevel === "info" ? "warn" : config.logLevel, process.stderr);
  const installation = await openInstallation(config, log, { role: "command", report: say });
  try {
    return await work(installation);
  } finally {
    await installation.close();
  }
}
