import { noticeMail } from "#domain/notice-mail";
import type { Mailer } from "#ports/mailer";
import type { Notices } from "#ports/notices";
import type { Platform } from "#ports/platform";

/**
 * Notices in the activity log and, where mail is configured, on their way to the workspace's owners. Both are written down
 * before this answers; a worker sends, so that a mail server that does not answer holds up nobody and loses nothing.
 */
export const mailedNotices = (
  log: Notices,
  { platform, mailer, publicUrl }: { platform: Platform; mailer: Mailer; publicUrl: string },
): Notices => ({
  async tell(notice) {
    await log.tell(notice);
    const mail = mailer.isConfigured ? noticeMail(notice, publicUrl) : null;
    if (!mail) return;
    const members = await platform.members.list(notice.workspaceId);
    const { workspaceId, kind, key, at } = notice;
    const owners = members.filter(({ role, email }) => role === "owner" && email !== "");
    await platform.mails.add(
      owners.map(({ userId, email }) => ({ workspaceId, key: `${kind}:${key}:${userId}`, to: email, ...mail })),
      at,
    );
  },
});
