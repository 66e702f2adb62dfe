import { randomUUID } from "node:crypto";
import type { Clock } from "#domain/time";
import type { GuardedAnswer, GuardedClient, GuardedRequest } from "#ports/guarded-client";
import { askAgain, faultOfStatus, leave, StoreFault, textOf } from "#ports/store-requests";
import type { CloudinaryAddress } from "./cloudinary-address.ts";
import { keyOf, type PublicId } from "./public-id.ts";
import { signDelivery, signParameters } from "./sign.ts";

interface CloudinaryOptions {
  readonly address: CloudinaryAddress;
  readonly client: GuardedClient;
  readonly clock: Clock;
  readonly patienceMillis: number;
}

const MOST_ERROR_BYTES = 64 * 1024;

/** Asks Cloudinary: its interface, and the hosts where files are read. */
export function cloudinaryRequests({ address, client, clock, patienceMillis }: CloudinaryOptions) {
  const { cloud, apiKey, apiSecret } = address;
  const api = `${address.api}/v1_1/${cloud}`;
  let newest = 0;
  /** Another number each time: an address that was never asked for is in no cache. */
  const freshVersion = (): number => (newest = Math.max(newest + 1, clock().getTime()));
  const ask = (request: () => GuardedRequest, mostBytes: number): Promise<GuardedAnswer> =>
    askAgain(async () => {
      const answer = await client.request(request(), { mostBytes: Math.max(mostBytes, MOST_ERROR_BYTES), patienceMillis });
      if (answer.status < 300 || answer.status >= 400) return answer;
      await leave(answer);
      throw new StoreFault(`Cloudinary answered with a redirect (${answer.status}), which is not followed.`);
    });
  return {
    /** A signed question. The time is part of the signature, so each attempt is signed anew. */
    post(action: "upload" | "destroy", parameters: Readonly<Record<string, string>>, file?: Uint8Array): Promise<GuardedAnswer> {
      return ask(() => {
        const signed = { ...parameters, timestamp: String(Math.floor(clock().getTime() / 1_000)) };
        const fields = { ...signed, api_key: apiKey, signature: signParameters(signed, apiSecret) };
        const form = formOf(fields, file);
        return { method: "POST", url: `${api}/image/${action}`, headers: { "content-type": form.type }, body: form.body };
      }, MOST_ERROR_BYTES);
    },

    /** A page of the list, which the interface answers to key and secret only. */
    list(query: Readonly<Record<string, string>>, mostBytes: number): Promise<GuardedAnswer> {
      const authorization = `Basic ${Buffer.from(`${apiKey}:${apiSecret}`).toString("base64")}`;
      const url = `${api}/resources/image/upload?${new URLSearchParams(query).toString()}`;
      return ask(() => ({ method: "GET", url, headers: { authorization } }), mostBytes);
    },

    /**
     * The file as it was uploaded: an account can be set to deliver optimised copies by default, which `fl_original` forbids, or to refuse
     * whatever is not signed. `fresh`: past every cache.
     */
    file(publicId: PublicId, { method = "GET", fresh, headers = {}, mostBytes }: FileQuestion): Promise<GuardedAnswer> {
      const path = `fl_original/${keyOf(publicId)}`;
      const signature = signDelivery(path, apiSecret);
      const version = `v${fresh ? freshVersion() : 1}`;
      const url = `${address.delivery}/${cloud}/image/upload/${signature}/fl_original/${version}/${keyOf(publicId)}`;
      return ask(() => ({ method, url, headers }), mostBytes);
    },
  };
}

interface FileQuestion {
  readonly method?: "GET" | "HEAD";
  readonly fresh: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly mostBytes: number;
}

/** As a form with a file (RFC 7578). Names and values are ours and need no quoting. */
function formOf(fields: Readonly<Record<string, string>>, file: Uint8Array | undefined): { type: string; body: Uint8Array } {
  const boundary = randomUUID();
  const part = (name: string, more = "") => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
  const texts = Object.entries(fields).map(([name, value]) => `${part(name)}${value}\r\n`);
  const pieces = file ? [Buffer.from(part("file", '; filename="image"')), file, Buffer.from("\r\n")] : [];
  const body = Buffer.concat([Buffer.from(texts.join("")), ...pieces, Buffer.from(`--${boundary}--\r\n`)]);
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/Invalid Signature/i, "the secret is wrong"],
  [/api_key mismatch|unknown api_key|api_secret mismatch/i, "the key or its secret is wrong"],
  [/cloud_name/i, "there is no such cloud, or it was disabled"],
  [/Stale request/i, "the clocks of the two differ too much"],
  [/File size too large/i, "the image is larger than the plan of this account allows"],
  [/Invalid image file|Unsupported/i, "it takes this file for no image"],
  [/Rate Limit/i, "the account may not ask more this hour"],
];

/** The refusal in words. Anything else that the answer says may be long, or name what we must not log. */
export async function faultIn(answer: GuardedAnswer): Promise<StoreFault> {
  const said = `${answer.header("x-cld-error") ?? ""} ${await textOf(answer).catch(() => "")}`;
  const words = WORDS.find(([pattern]) => pattern.test(said))?.[1];
  return faultOfStatus(answer.status, `Cloudinary answered ${answer.status}${words ? `: ${words}` : ""}.`);
}
