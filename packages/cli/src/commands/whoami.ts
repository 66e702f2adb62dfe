import type { Command } from "../command.ts";
import { readArguments, stopIfWrong } from "../options.ts";
import { requireAccess } from "../session/ask.ts";
import { shownLine, withoutSecrets } from "../session/shown.ts";
import { askWhoami } from "../session/whoami.ts";

/** `stet whoami`: as whom this machine is signed in, where, and how far it reaches. */
export const whoami: Command = async (args) => {
  const { flags, problems } = readArguments(args, { flags: ["json"] });
  stopIfWrong(problems, "whoami [--json]");
  const { url } = await requireAccess();
  const who = await askWhoami();
  if (flags.has("json")) {
    process.stdout.write(`${withoutSecrets(JSON.stringify({ url, ...who }))}\n`);
    return 0;
  }
  const { account, connection, workspaces } = who;
  const lines = [
    `${account.name} <${account.email}> at ${url}`,
    connection.workspaces === "all" ? "All your workspaces:" : "One workspace:",
    ...workspaces.flatMap(({ id, name, role, websites }) => [
      `  ${name} (${role})  ${id}`,
      ...websites.map((website) => `    ${website.name}  ${website.id}`),
    ]),
    connection.allowDelete ? "Deleting is allowed." : "Deleting is not allowed.",
  ];
  process.stdout.write(`${lines.map(shownLine).join("\n")}\n`);
  return 0;
};
