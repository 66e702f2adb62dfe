import type { PostStatus } from "@stet/contract";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

const TONES = {
  neutral: "bg-hover text-muted",
  accent: "bg-accent-soft text-accent",
  ok: "bg-ok-soft text-ok",
  warn: "bg-warn-soft text-warn",
  danger: "bg-danger-soft text-danger",
  info: "bg-info-soft text-info",
} as const;
export type BadgeTone = keyof typeof TONES;

export function Badge({ tone = "neutral", className, children }: { tone?: BadgeTone; className?: string; children: ReactNode }) {
  return (
    <span
      className={cn(
        "inline-flex items-center gap-1 whitespace-nowrap rounded-full px-2 py-0.5 text-xs font-medium",
        TONES[tone],
        className,
      )}
    >
      {children}
    </span>
  );
}

const STATUS: Record<PostStatus, { tone: BadgeTone; label: string }> = {
  draft: { tone: "neutral", label: "Draft" },
  scheduled: { tone: "info", label: "Scheduled" },
  published: { tone: "ok", label: "Published" },
  unpublished: { tone: "warn", label: "Unpublished" },
  deleted: { tone: "danger", label: "In trash" },
};

export const StatusBadge = ({ status }: { status: PostStatus }) => <Badge tone={STATUS[status].tone}>{STATUS[status].label}</Badge>;
