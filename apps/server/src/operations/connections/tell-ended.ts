import type { Connection } from "#domain/connection";
import type { Workspace } from "#domain/website";
import { timestamp } from "#domain/time";
import type { Services } from "../kernel/services.ts";

/** Why a connection ended without its owner's doing: an admin's name, or a token that was shown twice. */
export type EndedBecause = { readonly by: string } | "shown twice";

/** Queues a letter to whoever connected the tool, where mail is set up. A letter that cannot be queued keeps nothing from ending. */
export async function tellEnded(services: Services, connection: Connection, workspace: Workspace, because: EndedBecause): Promise<void> {
  const { accounts, mailer, platform, settings, clock, onTrouble } = services;
  if (!mailer.isConfigured) return;
  try {
    const owner = await accounts.get(connection.userId);
    if (!owner) return;
    const link = `${settings.publicUrl}/w/${workspace.id}/connected-apps`;
    const letter = { ...letterOf(connection, workspace, because), workspaceId: workspace.id, key: `ended:${connection.id}` };
    await platform.mails.add(
      [{ ...letter, to: owner.email, text: `${letter.text}\n\n${link}\n\nYou get this because you connected it.\n` }],
      timestamp(clock()),
    );
  } catch (error) {
    onTrouble("The owner of a connection that was ended was not told", error);
  }
}

function letterOf({ client, workspaces }: Connection, workspace: Workspace, because: EndedBecause): { subject: string; text: string } {
  // A name is one line in a subject, whatever it holds.
  const name = client.name.replaceAll(/\s+/g, " ");
  if (because === "shown twice") {
    return {
      subject: `${name} was disconnected: its access may have been copied`,
      text: `A token of ${name}, which acts for you, was shown to Stet a second time. That is how a copied token is noticed, so the connection was ended at once, everywhere.\n\nLook at what it did lately, undo what you do not recognise, and then connect it again. If its program was set back to an earlier state, by a backup for instance, that was the reason.`,
    };
  }
  const where = workspaces === "all" ? "It has ended in all your workspaces" : "It has ended";
  return {
    subject: `${name} was disconnected by ${because.by.replaceAll(/\s+/g, " ")}`,
    text: `${because.by} disconnected ${name}, which acted for you, from the workspace "${workspace.name}". ${where}, and its next request is refused. What it has done stays.\n\nIf you still need it, connect it again; you choose which workspaces it reaches. Ask ${because.by} first if it should stay out of this one.`,
  };
}
