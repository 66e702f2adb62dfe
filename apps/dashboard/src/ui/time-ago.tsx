import { formatDateTime, relativeTime } from "../lib/time.ts";
import { useNow } from "../lib/use-now.ts";

/** "3 hours ago"; the exact moment on hover and for machines. */
export const TimeAgo = ({ at, className }: { at: string; className?: string }) => (
  <time dateTime={at} title={formatDateTime(at)} className={className}>
    {relativeTime(at, useNow())}
  </time>
);
