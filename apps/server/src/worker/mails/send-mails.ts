import { DAY, HOUR, MINUTE, millis, SECOND, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import type { WaitingMail } from "#ports/platform";

/** Longer than sending an email can take; the emails of a node that dies are released after this. */
const LEASE_SECONDS = 120;
const BATCH = 20;
/** No email is begun later than this after they were claimed, so that a slow mail server does not outlast the lease. */
const SENDING_MILLIS = 20 * SECOND;
/** A notice that is a day old tells what the activity log told long ago. */
const GIVE_UP_MILLIS = DAY;
/** So long a notice that was mailed is known, and not mailed again. */
const REMEMBER_MILLIS = 60 * DAY;

/** Sends the notices that wait. Answers how many it tried, so that a full batch is followed by another at once. */
export async function sendMails(services: Services): Promise<number> {
  const { platform, mailer, clock } = services;
  if (!mailer.isConfigured) return 0;
  const waiting = await platform.mails.claimDue(timestamp(clock()), LEASE_SECONDS, BATCH);
  const until = clock().getTime() + SENDING_MILLIS;
  // The others are released with the lease: another node must not send what this one is about to.
  for (const mail of waiting) if (clock().getTime() <= until) await sendOne(services, mail);
  return waiting.length;
}

async function sendOne({ platform, mailer, clock, onTrouble }: Services, mail: WaitingMail): Promise<void> {
  try {
    await mailer.send({ to: mail.to, subject: mail.subject, text: mail.text });
  } catch (error) {
    const now = clock().getTime();
    if (now - millis(mail.madeAt) >= GIVE_UP_MILLIS) {
      onTrouble(`A notice of ${mail.workspaceId} could not be mailed for a day and is given up; the activity log has it`, error);
      return platform.mails.end(mail, timestamp(now));
    }
    onTrouble(`A notice of ${mail.workspaceId} was not mailed; it is tried again`, error);
    return platform.mails.postpone(mail, timestamp(now + Math.min(HOUR, MINUTE * 2 ** (mail.attempts - 1))));
  }
  await platform.mails.end(mail, timestamp(clock()));
}

export const forgetMails = ({ platform, clock }: Services): Promise<number> =>
  platform.mails.forgetBefore(timestamp(clock().getTime() - REMEMBER_MILLIS), 1_000);
