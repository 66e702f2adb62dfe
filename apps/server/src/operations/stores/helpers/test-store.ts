import { randomBytes } from "node:crypto";
import { cloudinaryVariant } from "#domain/cloudinary-delivery";
import { invalid } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { Variant } from "#domain/image-variant";
import { websitePrefix } from "#domain/media-file";
import type { OwnStoreFacts } from "#domain/own-image-store";
import type { Services } from "../../kernel/services.ts";
import { checkSteps, type CheckStep, type Probe, STEP_WORDS } from "./check-images.ts";

export interface StoreTest {
  readonly passed: boolean;
  /** The step that failed; null when all went well. */
  readonly step: CheckStep | null;
  /** What failed and why, and what to do about it. */
  readonly problem: string | null;
  readonly help: string | null;
  readonly store: OwnStoreFacts;
}

/** What to do when a step is refused. */
type Help = Readonly<Record<CheckStep, string>>;

/** The rights are named as AWS names them; others follow it. */
const S3_HELP: Help = {
  write: "Check the host, the bucket, the region and the key. The key needs the right to write files (s3:PutObject).",
  read: "The key needs the right to read files (s3:GetObject).",
  part: "The key needs the right to read files (s3:GetObject), and the storage must answer requests for a part of a file.",
  list: "The key needs the right to list the bucket (s3:ListBucket).",
  public: "Files must be readable for everybody below the public address. Check it, or leave it out: Stet serves the images itself.",
  delete: "The key needs the right to delete files (s3:DeleteObject).",
};

const CLOUDINARY_HELP: Help = {
  write: "Check the cloud name, the region, the API key and its secret. Upload presets of the account must leave images as they are.",
  read: "Images must come back as they were uploaded. Check the upload presets of the account.",
  part: "Images must come back as they were uploaded. Check the upload presets of the account.",
  list: "The API key needs the right to use the Admin API, which lists images.",
  public: "Turn off “Strict transformations” in the security settings of the account, or leave this off: Stet serves the images itself.",
  delete: "The API key needs the right to delete images.",
};

const HELP: Readonly<Record<OwnStoreFacts["kind"], Help>> = { s3: S3_HELP, cloudinary: CLOUDINARY_HELP };

/** The facts of an address that can be read; refused in words that repeat none of it where it cannot. */
function factsOf({ ownImages }: Pick<Services, "ownImages">, address: string): OwnStoreFacts {
  const facts = ownImages.read(address);
  if (typeof facts === "string") throw invalid([{ field: "address", message: facts }]);
  return facts;
}

/** Writes, reads, lists and deletes a small image at the address, in the folder of the website: the key needs no right beyond it. */
export async function testStore(
  services: Pick<Services, "ownImages">,
  websiteId: WebsiteId,
  { address, usePublicAddress }: { readonly address: string; readonly usePublicAddress: boolean },
): Promise<StoreTest> {
  const store = factsOf(services, address);
  const probe = probeIn(websiteId);
  const fault = await checkSteps(services.ownImages.open(address), probe, publicReading(services, store, probe, usePublicAddress));
  if (!fault) return { passed: true, step: null, problem: null, help: null, store };
  return {
    passed: false,
    step: fault.step,
    problem: `${STEP_WORDS[fault.step]} failed: ${fault.reason}`,
    help: HELP[store.kind][fault.step],
    store,
  };
}

/**
 * How the probe is read as the public reads it. A bucket has a public address only where its owner gave one; every account at Cloudinary
 * has one, so there it matters only where it was chosen, and it must also make images smaller.
 */
function publicReading({ ownImages }: Pick<Services, "ownImages">, store: OwnStoreFacts, probe: Probe, isChosen: boolean) {
  const { kind, publicBase } = store;
  if (publicBase === null || (kind === "cloudinary" && !isChosen)) return undefined;
  const smaller = kind === "cloudinary" ? cloudinaryVariant(publicBase, probe.key, { width: 1, height: 1 }, SMALLEST) : null;
  return async () => {
    if (smaller !== null) await inWords(ownImages.fetchPublic(smaller));
    return inWords(ownImages.fetchPublic(`${publicBase}/${probe.key}`));
  };
}

/** What the client says is meant for people; what lies behind it is not. */
const inWords = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw new Error((error as Error).message);
  });

const SMALLEST: Variant = { width: 160, ratio: null, format: "webp" };

/** A GIF of one black pixel, around a comment. */
const HEAD = Buffer.from("47494638396101000100800000000000ffffff", "hex");
const TAIL = Buffer.from("2c00000000010001000002024401003b", "hex");

/** The comment is another each time: a store that looks into files takes it for an image, and no cache knows it. */
function probeIn(websiteId: WebsiteId): Probe {
  const comment = randomBytes(16).toString("hex");
  const block = Buffer.from([0x21, 0xfe, comment.length, ...Buffer.from(comment), 0x00]);
  const folder = websitePrefix(websiteId);
  return { key: `${folder}check_${comment}.gif`, folder, bytes: Buffer.concat([HEAD, block, TAIL]), contentType: "image/gif" };
}
