import type { Transporter } from "nodemailer";
import { fail } from "#domain/failure";
import type { Mailer } from "#ports/mailer";

export interface MailSettings {
  /** smtp:// or smtps://, with the account in it. Null: no mail. */
  readonly url: string | null;
  /** Such as `Stet <no-reply@example.com>`. */
  readonly from: string;
}

/** A person waits for some of these answers. */
const CONNECT_MILLIS = 5_000;
const SILENCE_MILLIS = 10_000;

/**
 * Mail over SMTP, one connection a letter. Over smtp:// the connection is encrypted by STARTTLS or not used at all, unless the
 * server is on this machine or the address says `?requireTLS=false`.
 */
export function openMailer({ url, from }: MailSettings): Mailer & { check(): Promise<void> } {
  let transport: Promise<Transporter> | null = null;
  const open = async (): Promise<Transporter> => {
    if (url === null) throw unsent("no mail server is set up (SMTP_URL)");
    transport ??= connectTo(url);
    return transport;
  };
  return {
    isConfigured: url !== null,
    async send({ to, ...mail }) {
      const server = await open();
      try {
        // As an object: nothing in it is read as a second address.
        await server.sendMail({ ...mail, from, to: { name: "", address: to }, disableFileAccess: true, disableUrlAccess: true });
      } catch (error) {
        throw unsent(reasonOf(error));
      }
    },
    async check() {
      const server = await open();
      try {
        await server.verify();
      } catch (error) {
        throw unsent(reasonOf(error));
      }
    },
  };
}

async function connectTo(url: string): Promise<Transporter> {
  // Only here: an install without mail does not hold it in memory.
  const { createTransport } = await import("nodemailer");
  const address = new URL(url);
  const asked = address.searchParams.get("requireTLS");
  address.searchParams.set("requireTLS", asked ?? String(!isHere(address.hostname)));
  address.searchParams.set("connectionTimeout", String(CONNECT_MILLIS));
  address.searchParams.set("greetingTimeout", String(CONNECT_MILLIS));
  address.searchParams.set("dnsTimeout", String(CONNECT_MILLIS));
  address.searchParams.set("socketTimeout", String(SILENCE_MILLIS));
  return createTransport(address.href);
}

const isHere = (host: string): boolean => host === "localhost" || host === "[::1]" || host.startsWith("127.");

const unsent = (reason: string) => fail("UNAVAILABLE", `The email was not sent: ${reason}.`);

const REASONS: Readonly<Record<string, string>> = {
  EAUTH: "the mail server refuses the account in SMTP_URL",
  ETLS: "no encrypted connection to the mail server was possible",
  ESOCKET: "the mail server cannot be reached, or its certificate is not trusted",
  ECONNECTION: "the mail server cannot be reached",
  ETIMEDOUT: "the mail server does not answer in time",
  EDNS: "the host in SMTP_URL was not found",
  EENVELOPE: "the mail server does not take mail for this address",
  EMESSAGE: "the mail server refuses the message",
};

/** The error in our words, with the server's status. Never the address we called: the account is in it. */
function reasonOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  const reason = (typeof code === "string" && REASONS[code]) || "the mail server gave an unexpected answer";
  return typeof responseCode === "number" ? `${reason} (${responseCode})` : reason;
}
