import { createHash, createHmac, pbkdf2Sync, randomBytes } from "node:crypto";
import { BSON, type Binary, type Document } from "mongodb";
import { HELLO } from "./scripted-cluster.ts";

const hmac = (key: Buffer, text: string) => createHmac("sha256", key).update(text).digest();

/** The server's half of SCRAM-SHA-256, for one user. */
export function scriptedLogin(password: string) {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, 4_096, 32, "sha256");
  let [first, answer] = ["", ""];
  const reply = (text: string, done: boolean) => ({ conversationId: 1, payload: new BSON.Binary(Buffer.from(text)), done, ok: 1 });
  const textOf = ({ payload }: Document): string => Buffer.from((payload as Binary).value()).toString();
  return {
    hello: { ...HELLO, saslSupportedMechs: ["SCRAM-SHA-256"] },
    saslStart(command: Document) {
      first = textOf(command).slice("n,,".length);
      answer = `r=${/r=(.*)$/.exec(first)![1]}server,s=${salt.toString("base64")},i=4096`;
      return reply(answer, false);
    },
    saslContinue(command: Document) {
      const [withoutProof = "", proof = ""] = textOf(command).split(",p=");
      const said = `${first},${answer},${withoutProof}`;
      const clientKey = hmac(salted, "Client Key");
      const signature = hmac(createHash("sha256").update(clientKey).digest(), said);
      const expected = Buffer.from(clientKey.map((byte, index) => byte ^ signature[index]!)).toString("base64");
      if (proof !== expected) return { ok: 0, code: 18, errmsg: "Authentication failed." };
      return reply(`v=${hmac(hmac(salted, "Server Key"), said).toString("base64")}`, true);
    },
  };
}
