import { clientLabel } from "#domain/client-name";
import type { Connection } from "#domain/connection";
import type { Workspace } from "#domain/website";
import { timestamp } from "#domain/time";
import type { Services } from "../../kernel/services.ts";

/** Why a connection ended without its owner's doing: an admin's name, or a token that was shown twice. */
export type EndedBecause = { readonly by: string } | "shown twice";

/** Queues an email to the person who connected the tool, where mail is set up. The connection ends even if the email cannot be queued. */
export async function emailConnectionEnded(
  services: Services,
  connection: Connection,
  workspace: Workspace,
  because: EndedBecause,
): Promise<void> {
  const { accounts, mailer, platform, settings, clock, onTrouble } = services;
  if (!mailer.isConfigured) return;
  try {
    const owner = await accounts.get(connection.userId);
    if (!owner) return;
    const link = `${settings.publicUrl}/w/${workspace.id}/connected-apps`;
    const mail = { ...mailOf(connection, workspace, because), workspaceId: workspace.id, key: `ended:${connection.id}` };
    await platform.mails.add(
      [{ ...mail, to: owner.email, text: `${mail.text}\n\n${link}\n\nYou receive this because you connected the app.\n` }],
      timestamp(clock()),
    );
  } catch (error) {
    onTrouble("The owner of a connection that was ended was not told", error);
  }
}

function mailOf(connection: Connection, workspace: Workspace, because: EndedBecause): { subject: string; text: string } {
  const name = clientLabel(connection);
  if (because === "shown twice") {
    return {
      subject: `${name} was disconnected: its access may have been copied`,
      text: `A token of ${name}, which acts for you, was used twice. That can mean it was copied, so the app was disconnected everywhere.\n\nCheck what it did recently, undo what you do not recognise, then connect it again. If the app was restored from a backup, that was the reason.`,
    };
  }
  const where = connection.workspaces === "all" ? "It is disconnected in all your workspaces" : "It is disconnected";
  return {
    subject: `${name} was disconnected by ${because.by.replaceAll(/\s+/g, " ")}`,
    text: `${because.by} disconnected ${name}, which acted for you, from the workspace "${workspace.name}". ${where}, and its next request is refused. Its changes stay.\n\nIf you still need it, connect it again and choose which workspaces it can access. Before you include "${workspace.name}", ask ${because.by}.`,
  };
}
