import { Copy, Download } from "lucide-react";
import { copyText } from "../../lib/copy-text.ts";
import { saveFile } from "../../lib/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";

/** Shown once, with the ways to keep them. */
export function BackupCodes({ codes, email }: { codes: readonly string[]; email: string }) {
  const text = `Stet backup codes of ${email} (${window.location.host})\nEach code works once, instead of a code from your app.\n\n${codes.join("\n")}\n`;
  const copy = async () => {
    try {
      await copyText(codes.join("\n"));
      toast.ok("Backup codes copied.");
    } catch (error) {
      toast.error(error);
    }
  };
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn">
        Shown only once. Keep them somewhere you can reach without your phone. Each code signs you in once when you cannot use your app.
      </Notice>
      <ul aria-label="Backup codes" className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-control bg-sunken px-4 py-3 font-mono text-sm">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button onClick={() => saveFile("stet-backup-codes.txt", text)}>
          <Download aria-hidden />
          Download
        </Button>
      </div>
    </div>
  );
}
