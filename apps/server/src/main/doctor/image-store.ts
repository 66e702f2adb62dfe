import type { Database } from "#adapters/postgres/database";
import type { StoreName } from "#domain/media-file";
import type { Config } from "../config.ts";
import { checkImages, openBucket } from "../images.ts";
import { type Finding, good, problem, warning } from "./finding.ts";

/** The bucket, with the step that fails. */
export async function checkImageStore({ mediaUrl }: Pick<Config, "mediaUrl">): Promise<readonly Finding[]> {
  if (!mediaUrl) return [];
  const bucket = openBucket(mediaUrl, () => new Date());
  try {
    const fault = await checkImages(bucket.images);
    const name = `the bucket ${mediaUrl.bucket} at MEDIA_URL`;
    if (fault) return [problem(`Image storage: ${name} does not do what it must. ${fault}`)];
    return [good(`Image storage: ${name} can be written, read, listed and deleted from.`)];
  } finally {
    bucket.close();
  }
}

/** The stores of websites' owners, by what they said the last time. Whose they are is told on their own pages. */
export async function checkOwnStores(database: Database): Promise<readonly Finding[]> {
  const { rows } = await database.query<{ stores: number; failing: number; unreadable: number }>({
    text: `SELECT count(*)::int AS stores, count(*) FILTER (WHERE error IS NOT NULL AND address <> '')::int AS failing,
                  count(*) FILTER (WHERE address = '')::int AS unreadable FROM own_image_stores`,
  });
  const { stores, failing, unreadable } = rows[0]!;
  if (stores === 0) return [];
  const findings: Finding[] = [];
  const of = `of ${stores} own image ${stores === 1 ? "storage" : "storages"} of websites`;
  if (failing > 0)
    findings.push(warning(`Image storage: ${failing} ${of} did not answer the last time. Their owners see why under Image storage.`));
  if (unreadable > 0)
    findings.push(
      warning(`Image storage: the keys of ${unreadable} ${of} cannot be read with STET_SECRET. Their owners must enter them again.`),
    );
  return findings.length > 0
    ? findings
    : [good(`Image storage: ${stores} own ${stores === 1 ? "storage" : "storages"} of websites, no error on record.`)];
}

/** Files that lie where the service does not put new ones. */
export async function checkFiles(database: Database, { mediaUrl }: Pick<Config, "mediaUrl">): Promise<readonly Finding[]> {
  const { rows } = await database.query<{ store: StoreName; files: number }>({
    text: "SELECT store, count(*) AS files FROM media_files GROUP BY store",
  });
  const files = new Map(rows.map((row) => [row.store, Number(row.files)]));
  const [onDisk, inBucket] = [files.get("disk") ?? 0, files.get("s3") ?? 0];
  if (!mediaUrl && inBucket > 0) {
    return [problem(`Images: ${inBucket} lie in a bucket, but MEDIA_URL is not set, so nobody can see them. Set it again.`)];
  }
  if (mediaUrl && onDisk > 0) {
    return [
      warning(`Images: ${onDisk} still lie in STET_DATA and are served from there. \`stet images move --install --to s3\` moves them.`),
    ];
  }
  return [];
}
