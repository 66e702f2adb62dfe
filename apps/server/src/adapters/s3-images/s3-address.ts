import type { S3Address } from "./s3-request.ts";

const EXAMPLE = "s3://KEY:SECRET@s3.eu-central-1.amazonaws.com/bucket";
const PARAMETERS = ["region", "style", "token"];

/** Reads `s3://KEY:SECRET@HOST/BUCKET?region=…&style=path|host&token=…`; a text says what is wrong with it, without repeating any of it. */
export function parseS3Address(text: string): S3Address | string {
  const [, scheme, rest = ""] = /^(s3|s3\+http):\/\/(.+)$/s.exec(text) ?? [];
  if (!scheme) return `must be an address such as ${EXAMPLE}.`;
  const url = URL.parse(`${scheme === "s3" ? "https" : "http"}://${rest}`);
  if (!url || url.hash || /\s/.test(text))
    return `must be an address such as ${EXAMPLE}. Write / + @ and : in the secret as %2F %2B %40 and %3A.`;
  const accessKeyId = decoded(url.username);
  const secretAccessKey = decoded(url.password);
  if (!accessKeyId || !secretAccessKey)
    return "must contain the key and its secret, as in s3://KEY:SECRET@host/bucket. Write / + @ and : in the secret as %2F %2B %40 and %3A.";
  const bucket = url.pathname.slice(1);
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    return "must end with the name of the bucket and nothing after it, as in s3://KEY:SECRET@host/bucket.";
  const names = [...url.searchParams.keys()];
  const unknown = names.find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) return `can have ${PARAMETERS.join(", ")} after the question mark, and nothing else.`;
  if (new Set(names).size < names.length) return "names something after the question mark twice.";
  const region = url.searchParams.get("region") ?? regionOf(url.hostname);
  if (!/^[A-Za-z0-9-]{1,50}$/.test(region)) return "must have a valid region, such as eu-central-1.";
  const style = url.searchParams.get("style") ?? (url.hostname.endsWith(".amazonaws.com") ? "host" : "path");
  if (style !== "path" && style !== "host") return "must have style=path or style=host.";
  const sessionToken = url.searchParams.get("token");
  if (sessionToken !== null && !/^[\x21-\x7e]{1,4096}$/.test(sessionToken)) return "must have a valid session token. Write + in it as %2B.";
  return { endpoint: url.origin, bucket, region, style, accessKeyId, secretAccessKey, sessionToken };
}

/** AWS has it in the host name; Cloudflare's R2 has but one; most others take the first that there ever was. */
function regionOf(host: string): string {
  const [, region] = /^s3[.-]([a-z0-9-]+)\.amazonaws\.com$/.exec(host) ?? [];
  return region ?? (host.endsWith(".r2.cloudflarestorage.com") ? "auto" : "us-east-1");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
