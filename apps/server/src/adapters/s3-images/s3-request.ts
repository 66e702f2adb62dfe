import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import type { Clock } from "#domain/time";
import type { GuardedAnswer, GuardedClient, GuardedRequest } from "#ports/guarded-client";
import { askAgain, faultOfStatus, leave, StoreFault, textOf } from "#ports/store-requests";

/** A bucket and who asks for it. */
export interface S3Address {
  /** Scheme, host and port, without a slash at the end. */
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  /** "path": the bucket leads the path. "host": it leads the host name. */
  readonly style: "path" | "host";
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | null;
}

interface S3Options {
  readonly address: S3Address;
  readonly client: GuardedClient;
  readonly clock: Clock;
  readonly patienceMillis: number;
}

interface S3Question {
  readonly method: GuardedRequest["method"];
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly mostBytes: number;
}

const MOST_ERROR_BYTES = 64 * 1024;

/** Asks signed questions. The hash of the whole payload is signed, and nothing is sent in signed pieces: not every server takes those. */
export function s3Requests({ address, client, clock, patienceMillis }: S3Options) {
  const root = rootOf(address);
  const keys = new Map<string, ArrayBuffer>();
  const once = async ({ method, key, query = {}, headers = {}, body, mostBytes }: S3Question): Promise<GuardedAnswer> => {
    const url = new URL(`${root}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const payload = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const { accessKeyId, secretAccessKey, sessionToken, region } = address;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, "X-Amz-Content-Sha256": payload },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
      service: "s3",
      region,
      cache: dayOnly(keys),
      datetime: clock()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ""),
    }).sign();
    const request = { method, url: signed.url.href, headers: Object.fromEntries(signed.headers), ...(body && { body }) };
    const answer = await client.request(request, { mostBytes: Math.max(mostBytes, MOST_ERROR_BYTES), patienceMillis });
    if (answer.status >= 300 && answer.status < 400) {
      await leave(answer);
      throw new StoreFault(`The bucket answered with a redirect (${answer.status}), which is not followed. Check the host and the region.`);
    }
    return answer;
  };
  return (question: S3Question): Promise<GuardedAnswer> => askAgain(() => once(question));
}

/** The signer keeps a key a day and never forgets one. */
function dayOnly(keys: Map<string, ArrayBuffer>): Map<string, ArrayBuffer> {
  if (keys.size > 1) keys.clear();
  return keys;
}

function rootOf({ endpoint, bucket, style }: S3Address): string {
  if (style === "path") return `${endpoint}/${bucket}`;
  const url = new URL(endpoint);
  url.hostname = `${bucket}.${url.hostname}`;
  return url.origin;
}

const WORDS: Readonly<Record<string, string>> = {
  SignatureDoesNotMatch: "the secret is wrong, or the region",
  InvalidAccessKeyId: "there is no such key",
  InvalidToken: "the session token is wrong",
  ExpiredToken: "the session token has expired",
  AccessDenied: "the key may not do this",
  NoSuchBucket: "there is no such bucket",
  RequestTimeTooSkewed: "the clocks of the two differ too much",
  AuthorizationHeaderMalformed: "the region is wrong",
};

/** The refusal in words. The code is the server's; anything else that it says may be long, or name what we must not log. */
export async function faultIn(answer: GuardedAnswer): Promise<{ code: string; fault: StoreFault }> {
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(await textOf(answer).catch(() => ""))?.[1] ?? "";
  const words = WORDS[code] ? `: ${WORDS[code]}` : "";
  return { code, fault: faultOfStatus(answer.status, `The bucket answered ${answer.status}${code ? ` ${code}` : ""}${words}.`) };
}
