import type { ContentStore } from "#ports/content-store";
import { type Finding, good, warning } from "./finding.ts";

export type NotStripped = Awaited<ReturnType<ContentStore["media"]["countNotStripped"]>>;

/** Whether images that were uploaded to an earlier version still show where they were taken. */
export function imageFindings({ unchecked, unreadable }: NotStripped): readonly Finding[] {
  const findings: Finding[] = [];
  if (unchecked > 0) {
    findings.push(
      warning(
        `Images: ${unchecked} from an earlier version still hold metadata, such as GPS. A running service removes it within minutes.`,
      ),
    );
  }
  if (unreadable > 0) {
    findings.push(
      warning(
        `Images: the metadata of ${unreadable} cannot be removed, because the files are damaged. The log named them; upload them again.`,
      ),
    );
  }
  return findings.length > 0 ? findings : [good("Images: none holds metadata, such as GPS.")];
}
