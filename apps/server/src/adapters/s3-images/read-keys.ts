import type { GuardedAnswer } from "#ports/guarded-client";
import { StoreFault, textOf } from "#ports/store-requests";

/**
 * The keys in the bucket's list (ListObjectsV2). Keys of ours need no escaping in XML, so nothing has to be unescaped: an escaped one is
 * somebody else's, and whoever uses the list passes it over.
 */
export async function readKeys(answer: GuardedAnswer, prefix: string): Promise<{ keys: string[]; isTruncated: boolean }> {
  const xml = await textOf(answer);
  const isWhole = /<ListBucketResult[\s>]/.test(xml) && /<\/ListBucketResult>\s*$/.test(xml);
  const isTruncated = /<IsTruncated>\s*(true|false)\s*<\/IsTruncated>/.exec(xml)?.[1];
  const contents = xml.split("<Contents>").slice(1);
  const keys = contents.map((text) => /<Key>([^<]{1,1024})<\/Key>/.exec(text.split("</Contents>")[0]!)?.[1]);
  if (!isWhole || isTruncated === undefined || keys.includes(undefined))
    throw new StoreFault("The bucket's list is not the XML that S3 describes.");
  // A server that ignores the prefix would have us delete what belongs to another website.
  if (!keys.every((key) => key!.startsWith(prefix))) throw new StoreFault("The bucket's list names files that were not asked for.");
  return { keys: keys as string[], isTruncated: isTruncated === "true" };
}
