import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

const TONES = {
  info: { look: "bg-info-soft text-info", Icon: Info },
  ok: { look: "bg-ok-soft text-ok", Icon: CircleCheck },
  warn: { look: "bg-warn-soft text-warn", Icon: TriangleAlert },
  danger: { look: "bg-danger-soft text-danger", Icon: CircleAlert },
} as const;
export type Tone = keyof typeof TONES;

/** A sentence or two that must not be missed, with room for what to do next. */
export function Notice({
  tone = "info",
  title,
  action,
  children,
}: {
  tone?: Tone;
  title?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}) {
  const { look, Icon } = TONES[tone];
  return (
    <div
      role={tone === "danger" ? "alert" : "status"}
      className={cn("flex flex-wrap items-start gap-3 rounded-control px-3.5 py-3 text-sm", look)}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="min-w-40 flex-1 text-text">
        {title && <p className="font-medium">{title}</p>}
        {children}
      </div>
      {action}
    </div>
  );
}
