import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { cn } from "../lib/cn.ts";
import { copyText } from "../lib/copy-text.ts";
import { IconButton } from "./button.tsx";
import { toast } from "./toast.tsx";

/** Something to be taken elsewhere: a key, an address, a command. One click copies it. */
export function CopyField({ value, label, multiline = false }: { value: string; label: string; multiline?: boolean }) {
  return (
    <div className="flex items-start gap-1 rounded-control border border-line bg-sunken py-1 pr-1 pl-3">
      <code
        aria-label={label}
        tabIndex={0}
        className={cn("min-w-0 flex-1 py-1.5 font-mono text-[0.8125rem]", multiline ? "overflow-x-auto whitespace-pre" : "break-all")}
      >
        {value}
      </code>
      <CopyButton value={value} label={`Copy ${label}`} />
    </div>
  );
}

export function CopyButton({ value, label }: { value: string; label: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await copyText(value);
      setCopied(true);
      setTimeout(() => setCopied(false), 2_000);
    } catch (error) {
      toast.error(error);
    }
  };
  return (
    <IconButton label={copied ? "Copied" : label} size="sm" onClick={() => void copy()}>
      {copied ? <Check className="text-ok" /> : <Copy />}
    </IconButton>
  );
}
