import { RotateCw, X } from "lucide-react";
import { formatBytes } from "../../lib/format.ts";
import { IconButton } from "../../ui/button.tsx";
import type { Uploads } from "./use-uploads.ts";

/** The running uploads with their progress, and those that failed. */
export function UploadList({ uploads }: { uploads: Uploads }) {
  if (uploads.list.length === 0) return null;
  return (
    <ul aria-label="Uploads" className="flex flex-col gap-1 rounded-card border border-line bg-surface p-2">
      {uploads.list.map((upload) => (
        <li key={upload.id} className="flex items-center gap-3 px-2 py-1.5 text-sm">
          <div className="min-w-0 flex-1">
            <p className="flex justify-between gap-3">
              <span className="truncate">{upload.file.name}</span>
              <span className="shrink-0 text-muted tabular-nums">{formatBytes(upload.file.size)}</span>
            </p>
            {upload.error === null ? (
              <progress
                aria-label={`Upload of ${upload.file.name}`}
                max={1}
                value={upload.share}
                className="mt-1 block h-1.5 w-full overflow-hidden rounded-full accent-ok"
              />
            ) : (
              <p role="alert" className="text-[0.8125rem] text-danger">
                {upload.error}
              </p>
            )}
          </div>
          {upload.error !== null && (
            <>
              <IconButton label={`Try ${upload.file.name} again`} size="sm" onClick={() => uploads.retry(upload)}>
                <RotateCw />
              </IconButton>
              <IconButton label={`Dismiss ${upload.file.name}`} size="sm" onClick={() => uploads.dismiss(upload)}>
                <X />
              </IconButton>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
