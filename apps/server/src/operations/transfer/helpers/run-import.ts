import { fail, Failure } from "#domain/failure";
import type { PostId } from "#domain/ids";
import type { InWebsite } from "../../kernel/operation.ts";
import { eachOf } from "../../kernel/each-of.ts";
import { requireDiskSpaceForMore } from "../../kernel/require-disk-space.ts";
import { findFutureTime } from "./find-future-time.ts";
import { importFields } from "./import-fields.ts";
import { importMedia } from "./import-media.ts";
import { importPost, importRevision } from "./import-post.ts";
import { importSettings } from "./import-settings.ts";
import { importTerm } from "./import-term.ts";
import { bad, type Numbered, readRecords } from "./read-records.ts";
import type { FileRecord, MediaRecord } from "./records.ts";
import type { Outcome, Report } from "./report.ts";
import { TermAliases } from "./term-aliases.ts";

/** Records written at once. */
const AT_ONCE = 6;

type Task = () => Promise<void>;

/**
 * Reads the file once, line by line, and writes as it reads. Nothing that exists is changed, so an import that was
 * interrupted, or stopped at a bad line, is simply run again.
 */
export async function runImport(
  context: InWebsite,
  source: AsyncIterable<string>,
  report: Report,
  onProgress: (lines: number) => void,
): Promise<void> {
  const here = { websiteId: context.website.id, publicUrl: context.services.settings.publicUrl };
  try {
    await eachOf(tasksOf(context, readRecords(source, here), report, onProgress), AT_ONCE, (task) => task());
  } catch (error) {
    // The person who fixes the file wants to know how far the import came.
    if (error instanceof Failure) throw fail(error.code, error.message, { ...error.facts, soFar: report.result() });
    throw error;
  }
}

type Records = ReturnType<typeof readRecords>;

async function* tasksOf(context: InWebsite, records: Records, report: Report, onProgress: (lines: number) => void): AsyncGenerator<Task> {
  /** The post that revisions may follow now, and what becomes of it. */
  let post: { id: PostId; outcome: Promise<Outcome> } | null = null;
  const image = new ImageParts(context, report);
  const aliases = new TermAliases();

  for await (const { line, record } of records) {
    onProgress(line);
    await requireDiskSpaceForMore(context.services);
    if (record.type !== "file") await image.finish();
    const late = record.type === "manifest" ? null : findFutureTime(record, context.now);
    if (late) throw bad(line, `cannot be imported: ${record.type}.${late} lies in the future.`);
    switch (record.type) {
      case "manifest": {
        const { website, taken, kept } = await importSettings(context, record.website);
        report.settingsTaken = taken;
        report.settingsKept = kept;
        report.fieldsAdded = await importFields({ ...context, website }, record.website.fieldDefinitions);
        break;
      }
      case "media":
        image.begin({ line, record });
        break;
      case "file":
        image.add({ line, record });
        break;
      case "term": {
        // Terms are few, and one may need the one before it: in order.
        report.add({ line, type: "term", id: record.id, label: record.name }, await importTerm(context, record, aliases));
        break;
      }
      case "post": {
        const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
        // A caller that waits gets the error; a promise that nobody waits for must not end the process.
        promise.catch(() => {});
        post = { id: record.id, outcome: promise };
        yield async () => {
          try {
            const outcome = await importPost(context, aliases.post(record));
            report.add({ line, type: "post", id: record.id, label: record.working.title }, outcome);
            resolve(outcome);
          } catch (error) {
            reject(error as Error);
            throw error;
          }
        };
        break;
      }
      case "revision": {
        if (post?.id !== record.postId) throw bad(line, "is a revision that does not follow its post.");
        const { outcome } = post;
        const subject = { line, type: record.type, id: record.id, label: record.content.title };
        yield async () => report.add(subject, await importRevision(context, aliases.revision(record), await outcome));
        break;
      }
    }
  }
  await image.finish();
}

/** An image and the lines of its bytes, until the next record of another kind says that they are complete. */
class ImageParts {
  readonly #context: InWebsite;
  readonly #report: Report;
  #media: Numbered<MediaRecord> | null = null;
  #parts: Uint8Array[] = [];

  constructor(context: InWebsite, report: Report) {
    this.#context = context;
    this.#report = report;
  }

  begin(media: Numbered<MediaRecord>): void {
    this.#media = media;
    this.#parts = [];
  }

  add({ line, record }: Numbered<FileRecord>): void {
    if (this.#media?.record.id !== record.mediaId || record.part !== this.#parts.length || record.part >= record.parts) {
      throw bad(line, "is a part of an image that does not follow the part before it.");
    }
    this.#parts.push(Buffer.from(record.data, "base64"));
    this.#report.add({ line, type: "file", id: record.mediaId, label: this.#media.record.filename }, "imported");
  }

  async finish(): Promise<void> {
    const media = this.#media;
    if (!media) return;
    this.#media = null;
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    const { id, filename } = media.record;
    const outcome = await importMedia(this.#context, media.record, bytes);
    this.#report.add({ line: media.line, type: "media", id, label: filename }, outcome);
  }
}
