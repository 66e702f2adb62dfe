import { ImageUp } from "lucide-react";
import { type DragEvent, type ReactNode, useRef, useState } from "react";

/** Takes files that are dropped anywhere on what it holds. Choosing files does the same by keyboard. */
export function DropZone({ onFiles, disabled, children }: { onFiles: (files: File[]) => void; disabled: boolean; children: ReactNode }) {
  const [over, setOver] = useState(false);
  // Entering a child leaves its parent: only the count says when the files have left altogether.
  const depth = useRef(0);
  const hasFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes("Files");
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  return (
    <div
      role="presentation"
      className="relative min-h-full"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        depth.current += 1;
        setOver(true);
      }}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDragLeave={() => {
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        end();
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <div className="pointer-events-none fixed inset-3 z-40 grid place-items-center rounded-card border-2 border-dashed border-accent bg-accent-soft/80 text-accent">
          <p className="flex items-center gap-2 font-medium">
            <ImageUp aria-hidden className="size-5" /> Drop to upload
          </p>
        </div>
      )}
    </div>
  );
}
