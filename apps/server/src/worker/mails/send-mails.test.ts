import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { activityNotices } from "#adapters/notices/activity-notices";
import { mailedNotices } from "#adapters/notices/mailed-notices";
import { openMailer } from "#adapters/smtp/mailer";
import { DAY, HOUR, MINUTE, timestamp } from "#domain/time";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { inviteMember } from "#operations/members/invite-member";
import { openTestServices, type Tenant, type TestServices } from "#test/services";
import { type MailBox, openMailBox } from "#test/smtp";
import { forgetMails, sendMails } from "./send-mails.ts";

let services: TestServices;
let box: MailBox;
beforeAll(async () => {
  services = await openTestServices();
  box = await openMailBox({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
});
afterAll(async () => {
  await box.close();
  await services.close();
});
afterEach(async () => {
  box.letters.length = 0;
  await services.database.query({ text: "DELETE FROM mails" });
});

/** The services of an install whose mail server is there. */
function withMail(url: string = box.url): Services {
  const mailer = openMailer({ url, from: "Stet <no-reply@stet.test>" });
  const notices = mailedNotices(activityNotices(services.platform.activity), {
    platform: services.platform,
    mailer,
    publicUrl: services.settings.publicUrl,
  });
  return { ...services, clock: services.clock, mailer, notices };
}
const warning = (tenant: Tenant, percent: number) => ({
  workspaceId: tenant.workspace.id,
  websiteId: null,
  job: "usage",
  at: timestamp(services.now),
  kind: "quota_warning",
  target: { id: tenant.workspace.id, label: tenant.workspace.name },
  details: { percent, month: "2026-11", used: 7_500, requestsPerMonth: 10_000 },
  key: `2026-11:${percent}`,
});
const logged = async (tenant: Tenant) =>
  (await services.platform.activity.list(tenant.workspace.id, { action: "quota_warning", after: null, limit: 10 })).rows.length;
const down = () => `smtp://127.0.0.1:${box.port === 1 ? 2 : 1}`;

test("a notice is mailed to the owner once, however often it is told, and stands in the activity log", async () => {
  const tenant = await services.makeTenant();
  await tenant.addMember("admin");
  const mailing = withMail();
  await mailing.notices.tell(warning(tenant, 75));
  await mailing.notices.tell(warning(tenant, 75));
  expect(await Promise.all([sendMails(mailing), sendMails(mailing)])).toContain(1);
  await mailing.notices.tell(warning(tenant, 75));
  expect(await sendMails(mailing)).toBe(0);
  expect(box.letters.map(({ to }) => to)).toEqual([[tenant.owner.email]]);
  const { raw } = box.letters[0]!;
  expect(raw).toContain("7,500 of its 10,000 requests");
  expect(raw.replaceAll("=\r\n", "")).toContain(`https://stet.test/w/${tenant.workspace.id}/plan`);
  expect(await logged(tenant)).toBe(1);
});

test("webhooks that fail or were switched off are mailed with what to do and where", async () => {
  const tenant = await services.makeTenant();
  const mailing = withMail();
  for (const kind of ["webhook_failing", "webhook_switched_off"]) {
    await mailing.notices.tell({
      ...warning(tenant, 75),
      websiteId: tenant.website.id,
      kind,
      target: { id: "webhook_1", label: "https://hooks.example.com/stet" },
      details: { failures: 10, since: timestamp(services.now), reason: "failures" },
    });
  }
  expect(await sendMails(mailing)).toBe(2);
  expect(box.letters.map(({ raw }) => /^Subject: (.*)$/m.exec(raw)?.[1]?.trim()).toSorted()).toEqual([
    "Webhook failing: hooks.example.com",
    "Webhook switched off: hooks.example.com",
  ]);
  expect(box.letters[0]!.raw.replaceAll("=\r\n", "")).toContain(`/s/${tenant.website.id}/settings/webhooks/webhook_1`);
});

test("while the mail server is down the notice is in the log and waits; it is sent when the server is back", async () => {
  const tenant = await services.makeTenant();
  const broken = withMail(down());
  await broken.notices.tell(warning(tenant, 90));
  expect(await logged(tenant)).toBe(1);
  expect(await sendMails(broken)).toBe(1);
  expect(await sendMails(broken)).toBe(0);
  services.pass(MINUTE);
  const mended = withMail();
  expect(await sendMails(mended)).toBe(1);
  expect(box.letters).toHaveLength(1);
  services.pass(HOUR);
  expect(await sendMails(mended)).toBe(0);
});

test("after a day of trying it is given up, and the log still has it", async () => {
  const tenant = await services.makeTenant();
  const broken = withMail(down());
  await broken.notices.tell(warning(tenant, 100));
  let attempts = 0;
  for (let hours = 0; hours <= 30; hours++) {
    attempts += await sendMails(broken);
    services.pass(HOUR);
  }
  expect(attempts).toBe(25);
  expect(services.troubles.some((line) => line.includes("given up"))).toBe(true);
  expect(await sendMails(withMail())).toBe(0);
  expect(await logged(tenant)).toBe(1);
});

test("letters that ended are forgotten after two months", async () => {
  const tenant = await services.makeTenant();
  const mailing = withMail();
  await mailing.notices.tell(warning(tenant, 75));
  await sendMails(mailing);
  services.pass(59 * DAY);
  expect(await forgetMails(mailing)).toBe(0);
  services.pass(2 * DAY);
  expect(await forgetMails(mailing)).toBe(1);
});

test("an invitation is mailed at once, and its link is answered whether or not that worked", async () => {
  const tenant = await services.makeTenant();
  const invite = (through: Services, email: string) =>
    execute(through, inviteMember, tenant.actor, { workspaceId: tenant.workspace.id, email, role: "editor" });
  const sent = await invite(withMail(), "guest@example.com");
  expect(sent.mail).toBe("sent");
  expect(box.letters).toMatchObject([{ to: ["guest@example.com"] }]);
  expect(box.letters[0]!.raw.replaceAll("=\r\n", "")).toContain(sent.link);
  expect(await invite(withMail(down()), "second@example.com")).toMatchObject({
    mail: "failed",
    link: expect.stringContaining("https://") as string,
  });
  expect(await invite(services, "third@example.com")).toMatchObject({ mail: "off" });
});

test("a mail server that takes half a minute for each email does not get one of them twice, from two nodes", async () => {
  const tenant = await services.makeTenant();
  const mailing = withMail();
  for (let percent = 1; percent <= 6; percent++) await mailing.notices.tell(warning(tenant, percent));
  let sent = 0;
  const slow: Services = {
    ...mailing,
    mailer: {
      ...mailing.mailer,
      async send() {
        services.pass(MINUTE / 2);
        if (++sent === 5) await sendMails(mailing);
      },
    },
  };
  for (let round = 1; round <= 6; round++) {
    await sendMails(slow);
    services.pass(2 * MINUTE);
  }
  expect(sent + box.letters.length).toBe(6);
});
