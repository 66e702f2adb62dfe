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
