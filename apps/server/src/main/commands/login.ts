import { type Command, login as loginAt } from "@stet/cli";
import { readConfig } from "../config.ts";

/** `stet login` in a checkout: without an address, the server of this checkout is meant. */
export const login: Command = (args) =>
  loginAt(args.some((arg) => arg.startsWith("--url")) ? args : [...args, "--url", readConfig().publicUrl]);
