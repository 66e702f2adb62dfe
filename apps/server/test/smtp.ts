import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export interface MailBox {
  /** smtp://, with the account in it. */
  readonly url: string;
  readonly port: number;
  /** Whole letters as they arrived, with whom they were for. */
  readonly letters: { readonly to: readonly string[]; readonly raw: string; readonly secure: boolean }[];
  close(): Promise<void>;
}

/** A mail server of this machine. The account is postbox with the password sesame. Its certificate is nobody's. */
export async function openMailBox(options: SMTPServerOptions = {}): Promise<MailBox> {
  const letters: MailBox["letters"][number][] = [];
  const server = new SMTPServer({
    authOptional: true,
    onAuth({ username, password }, _session, callback) {
      if (username === "postbox" && password === "sesame") callback(null, { user: username });
      else callback(new Error("Who are you?"));
    },
    onData(stream, session, callback) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const raw = Buffer.concat(pieces).toString();
        letters.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw, secure: session.secure });
        callback();
      });
    },
    ...options,
  });
  // A client that breaks off is what some tests are about.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const scheme = options.secure ? "smtps" : "smtp";
  return {
    url: `${scheme}://postbox:sesame@127.0.0.1:${port}`,
    port,
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
