import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterEach, expect, test } from "vitest";
import { openMailBox } from "#test/smtp";
import { openMailer } from "./mailer.ts";

const FROM = "Stet <no-reply@stet.test>";
const LETTER = { to: "bob@example.com", subject: "Grüße", text: "First line\nSecond line\n" };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
async function mailBox(options: Parameters<typeof openMailBox>[0] = {}) {
  const box = await openMailBox(options);
  closing.push(box.close);
  return box;
}
const failureOf = (url: string) =>
  openMailer({ url, from: FROM })
    .send(LETTER)
    .then(
      () => null,
      (error: Error) => error,
    );

test("a letter arrives with its sender, subject and text, for the one address it names", async () => {
  const box = await mailBox({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const mailer = openMailer({ url: box.url, from: FROM });
  expect(mailer.isConfigured).toBe(true);
  await mailer.check();
  await mailer.send(LETTER);
  expect(box.letters).toHaveLength(1);
  expect(box.letters[0]!.to).toEqual(["bob@example.com"]);
  expect(box.letters[0]!.raw).toContain("From: Stet <no-reply@stet.test>");
  expect(box.letters[0]!.raw).toContain("Subject: =?UTF-8?");
  expect(box.letters[0]!.raw).toContain("First line\r\nSecond line");
});

test("a subject or an address with line breaks adds no header and no recipient", async () => {
  const box = await mailBox({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const mailer = openMailer({ url: box.url, from: FROM });
  await mailer.send({ ...LETTER, subject: "Hello\r\nBcc: eve@example.com" });
  await mailer.send({ ...LETTER, to: "bob@example.com, eve@example.com" }).catch(() => {});
  await mailer.send({ ...LETTER, to: "bob@example.com>\r\nRCPT TO:<eve@example.com" }).catch(() => {});
  expect(box.letters.flatMap(({ to }) => to)).not.toContain("eve@example.com");
  expect(box.letters[0]!.raw).not.toMatch(/^Bcc:/im);
});

test("STARTTLS is used where it is offered", async () => {
  const box = await mailBox();
  await openMailer({ url: `${box.url}?tls.rejectUnauthorized=false`, from: FROM }).send(LETTER);
  expect(box.letters).toMatchObject([{ secure: true }]);
});

test("without encryption nothing is sent where it is required", async () => {
  const box = await mailBox({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true });
  const failure = await failureOf(`${box.url}?requireTLS=true`);
  expect(failure).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("encrypted") as string });
  expect(box.letters).toEqual([]);
});

test.each([
  ["a certificate that nobody vouches for", { secure: true }, (url: string) => url],
  ["a certificate that nobody vouches for, after STARTTLS", {}, (url: string) => url],
  ["a wrong password", { disabledCommands: ["STARTTLS"], allowInsecureAuth: true }, (url: string) => url.replace("sesame", "s3cret")],
])("%s is refused, and the account stays out of the message", async (_, options, change) => {
  const box = await mailBox(options);
  const failure = await failureOf(change(box.url));
  expect(failure).toMatchObject({ code: "UNAVAILABLE", message: expect.stringContaining("The email was not sent") as string });
  expect(`${failure?.message} ${JSON.stringify(failure)} ${failure?.stack}`).not.toMatch(/postbox|sesame|s3cret/);
  expect(box.letters).toEqual([]);
});

test("a server that is down, or does not speak, is a failure in time", async () => {
  const box = await openMailBox();
  await box.close();
  expect(await failureOf(box.url)).toMatchObject({ code: "UNAVAILABLE" });
  const silent = createServer((socket) => socket.on("error", () => {}).resume());
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  closing.push(() => new Promise((resolve) => silent.close(() => resolve())));
  const { port } = silent.address() as AddressInfo;
  expect(await failureOf(`smtp://127.0.0.1:${port}`)).toMatchObject({ message: expect.stringContaining("in time") as string });
}, 15_000);

test("without an address nothing is configured", async () => {
  const mailer = openMailer({ url: null, from: FROM });
  expect(mailer.isConfigured).toBe(false);
  await expect(mailer.send(LETTER)).rejects.toMatchObject({ code: "UNAVAILABLE" });
});
