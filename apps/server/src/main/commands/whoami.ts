import type { Role } from "@stet/contract";
import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { ask, requireCredentials } from "./session/ask.ts";

interface Whoami {
  readonly account: { readonly name: string; readonly email: string };
  readonly connection: { readonly workspaces: string; readonly allowDelete: boolean };
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

/** `stet whoami`: as whom this machine is signed in, where, and how far it reaches. */
export const whoami: Command = async (args) => {
  const { flags, problems } = readArguments(args, { flags: ["json"] });
  stopIfWrong(problems, "whoami [--json]");
  const { url } = await requireCredentials();
  const who = await ask<Whoami>("/api/cli/whoami");
  if (flags.has("json")) {
    process.stdout.write(`${JSON.stringify({ url, ...who })}\n`);
    return 0;
  }
  const { account, connection, workspaces } = who;
  const lines = [
    `${account.name} <${account.email}> at ${url}`,
    connection.workspaces === "all" ? "All your workspaces:" : "One workspace:",
    ...workspaces.map(({ id, name, role }) => `  ${name} (${role})  ${id}`),
    connection.allowDelete ? "Deleting is allowed." : "Deleting is not allowed.",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
};
