import type { ImportResult } from "../../api/import-website.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { partName } from "../../lib/part-names.ts";
import { messageOf } from "../../lib/problem.ts";
import { Notice } from "../../ui/notice.tsx";

type Kind = ImportResult["conflicts"][number]["type"];
const KINDS: Readonly<Record<Kind, string>> = {
  post: "Post",
  revision: "Version of",
  term: "Category, tag or author",
  media: "Image",
  file: "File of the image",
};

/** The result of an import, also of one that failed half way: the posts added by then stay. */
export function ImportReport({ file, result, problem }: { file: File; result: ImportResult | null; problem: unknown }) {
  const isStopped = problem instanceof DOMException && problem.name === "AbortError";
  // Refused before anything of it was taken: most likely it is another file.
  const isUntouched =
    result !== null && isEmpty(result.imported) && isEmpty(result.skipped) && result.fieldsAdded.length + result.settingsTaken.length === 0;
  return (
    <div className="flex flex-col gap-3">
      {problem === null ? (
        <Notice tone="ok" title={`${file.name} was imported`}>
          {result && <Counts result={result} />}
        </Notice>
      ) : isUntouched ? (
        <Notice tone="danger" title={`${file.name} was not imported`}>
          <p>{messageOf(problem)}</p>
          <p>Nothing was added or changed.</p>
        </Notice>
      ) : (
        <Notice
          tone={isStopped ? "warn" : "danger"}
          title={isStopped ? "The import was stopped" : `${file.name} was not imported completely`}
        >
          {!isStopped && <p>{messageOf(problem)}</p>}
          {result ? <Counts result={result} /> : <p>Content imported so far is kept; the activity log shows how much.</p>}
          <p>Existing content was not changed. To continue, import {isStopped ? "the same file again" : "the complete file"}.</p>
        </Notice>
      )}
      {result && result.conflictCount > 0 && (
        <Notice tone="warn" title={`${plural(result.conflictCount, "item")} skipped`}>
          <ul className="mt-1 flex max-h-60 flex-col gap-1 overflow-y-auto" tabIndex={0} aria-label="Skipped items">
            {result.conflicts.map(({ line, type, id, label, reason }) => (
              <li key={`${line} ${id}`} className="break-words">
                {KINDS[type]} <span className="font-medium">{label || id}</span> (line {formatNumber(line)}): {reason}
              </li>
            ))}
          </ul>
          {result.conflictCount > result.conflicts.length && (
            <p className="mt-1">And {formatNumber(result.conflictCount - result.conflicts.length)} more.</p>
          )}
        </Notice>
      )}
    </div>
  );
}

function Counts({ result }: { result: ImportResult }) {
  const skipped = counted(result.skipped);
  return (
    <>
      <p>Imported: {counted(result.imported)}.</p>
      {skipped !== "nothing" && <p>Already here and unchanged: {skipped}.</p>}
      {result.fieldsAdded.length > 0 && <p>Fields added: {result.fieldsAdded.join(", ")}.</p>}
      {result.settingsTaken.length > 0 && <p>Settings taken from the file: {settingNames(result.settingsTaken)}.</p>}
      {result.settingsKept.length > 0 && (
        <p>Settings not changed, although the file has different values: {settingNames(result.settingsKept)}.</p>
      )}
    </>
  );
}

const settingNames = (names: readonly string[]): string => names.map(partName).join(", ");

const isEmpty = ({ post, revision, term, media }: ImportResult["imported"]): boolean => post + revision + term + media === 0;

/** "3 posts, 2 images". Counts of zero are left out. */
function counted(counts: ImportResult["imported"]): string {
  const parts = [
    [counts.post, "post", "posts"],
    [counts.revision, "version", "versions"],
    [counts.term, "category, tag or author", "categories, tags and authors"],
    [counts.media, "image", "images"],
  ] as const;
  const there = parts.filter(([count]) => count > 0).map(([count, one, many]) => `${formatNumber(count)} ${count === 1 ? one : many}`);
  return there.length === 0 ? "nothing" : there.join(", ");
}
