import { buffer } from "node:stream/consumers";
import { type CloudinaryAddress, parseCloudinaryAddress } from "#adapters/cloudinary-images/cloudinary-address";
import { openCloudinaryImages } from "#adapters/cloudinary-images/cloudinary-images";
import { createGuardedClient } from "#adapters/guarded-fetch/client";
import { openS3Images } from "#adapters/s3-images/s3-images";
import { parseS3Address } from "#adapters/s3-images/s3-address";
import { cloudinaryBase } from "#domain/cloudinary-delivery";
import type { OwnStoreFacts } from "#domain/own-image-store";
import type { Clock } from "#domain/time";
import type { GuardedClient } from "#ports/guarded-client";
import type { ImageStore } from "#ports/image-store";
import type { OwnImages } from "#ports/own-images";
import type { Config } from "./config.ts";

/** Waiting for a customer's store in all, for one question: short of what a reader or a sweep would bear. */
const PATIENCE_MILLIS = 20_000;
const MOST_PROBE_BYTES = 64 * 1024;
const MOST_CHARACTERS = 6_000;

/** What an address says: the facts without anything secret, and the way to the store. */
interface Read {
  readonly facts: OwnStoreFacts;
  open(access: Access): ImageStore;
}

interface Access {
  readonly client: GuardedClient;
  readonly clock: Clock;
  readonly patienceMillis: number;
}

type CloudinaryHosts = Pick<CloudinaryAddress, "api" | "delivery">;

interface Options extends Pick<Config, "privateTargets">, Pick<Access, "clock">, Partial<Pick<Access, "patienceMillis">> {
  /** Where a stand-in for Cloudinary listens. No setting leads here: a service asks Cloudinary's own hosts and no others. */
  readonly cloudinaryHosts?: CloudinaryHosts;
}

/** By the scheme of their addresses. A text says what is wrong with one. */
const KINDS: Readonly<Record<string, (address: string, hosts?: CloudinaryHosts) => Read | string>> = {
  s3: readS3,
  "s3+http": readS3,
  cloudinary: readCloudinary,
};

/**
 * Opens stores that customers named. One client serves all of them: every request is signed for itself, connections are judged when they
 * are made and end by themselves, so there is nothing to close when a store is left.
 */
export function openOwnImages(options: Options): OwnImages {
  const { privateTargets, cloudinaryHosts, patienceMillis = PATIENCE_MILLIS } = options;
  const client = createGuardedClient({ privateTargets });
  const access = { client, clock: options.clock, patienceMillis };
  const read = (text: string): Read | string => {
    if (text.length > MOST_CHARACTERS) return "is too long.";
    const address = text.trim();
    const kind = KINDS[address.split("://", 1)[0]!];
    return kind?.(address, cloudinaryHosts) ?? "must begin with s3:// or cloudinary:// and contain a key and its secret.";
  };
  return {
    read(text) {
      const found = read(text);
      return typeof found === "string" ? found : found.facts;
    },
    open(text) {
      const found = read(text);
      if (typeof found === "string") throw new Error(`The address of the image storage ${found}`);
      return found.open(access);
    },
    async fetchPublic(url) {
      const request = { method: "GET", url, headers: { accept: "image/*" } } as const;
      const { status, body } = await client.request(request, { mostBytes: MOST_PROBE_BYTES, patienceMillis });
      const bytes = await buffer(body);
      if (status !== 200) throw new Error(`the public address answered ${status}.`);
      return bytes;
    },
    close: () => client.close(),
  };
}

function readS3(text: string): Read | string {
  const split = splitPublicBase(text);
  if (typeof split === "string") return split;
  const address = parseS3Address(split.address);
  if (typeof address === "string") return address;
  const { endpoint, bucket, region, style, accessKeyId } = address;
  const host = endpoint.replace(/^https?:\/\//, "");
  // The scheme is shown only where it is not the usual one, so that the form can be filled in again from this.
  const shown = { bucket, endpoint: endpoint.replace("https://", ""), region, style, key: tailOf(accessKeyId) };
  return {
    facts: { kind: "s3", place: `${host}/${bucket}`, shown, publicBase: split.publicBase },
    open: (access) => openS3Images({ address: address, ...access }),
  };
}

function readCloudinary(text: string, hosts?: CloudinaryHosts): Read | string {
  const parsed = parseCloudinaryAddress(text);
  if (typeof parsed === "string") return parsed;
  const address = { ...parsed, ...hosts };
  const { cloud, apiKey, delivery } = address;
  const region = /region=(\w+)$/.exec(text)?.[1] ?? "us";
  const shown = { cloud, region, key: tailOf(apiKey) };
  return {
    facts: { kind: "cloudinary", place: `Cloudinary/${cloud}`, shown, publicBase: cloudinaryBase(delivery, cloud) },
    open: (access) => openCloudinaryImages({ address, ...access }),
  };
}

/** `&public=https://…` is ours, and no part of what the adapter reads. */
function splitPublicBase(text: string): { address: string; publicBase: string | null } | string {
  const [before = "", ...query] = text.split("?");
  const parameters = query.join("?").split("&").filter(Boolean);
  const [given, ...more] = parameters.filter((parameter) => parameter.startsWith("public="));
  const rest = parameters.filter((parameter) => !parameter.startsWith("public="));
  const address = rest.length > 0 ? `${before}?${rest.join("&")}` : before;
  if (given === undefined) return { address, publicBase: null };
  const url = URL.parse(decoded(given.slice("public=".length)));
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
  // It is written into HTML and into lists of addresses, which commas and quotes would take apart.
  if (!isPlain || more.length > 0 || /["'<>,\s\\]/.test(url.href))
    return "must have a valid public address, such as https://images.example.com.";
  return { address, publicBase: url.href.replace(/\/+$/, "") };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Enough to tell two keys apart. */
const tailOf = (keyId: string): string => `…${keyId.slice(-4)}`;
