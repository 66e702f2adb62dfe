import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

type StepState = "done" | "current" | "later";

const SPOKEN: Record<StepState, string> = { done: "done", current: "current step", later: "not yet" };

/** One step of several, on a line that leads to the next. */
export function Step({
  number,
  title,
  description,
  state,
  action,
  children,
}: {
  number: number;
  title: string;
  description: ReactNode;
  state: StepState;
  action?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <li className="relative flex gap-4 pb-8 last:pb-0" aria-current={state === "current" ? "step" : undefined}>
      <span aria-hidden className="absolute top-9 bottom-1 left-3.5 w-px bg-line in-[li:last-child]:hidden" />
      <span
        aria-hidden
        className={cn(
          "z-10 grid size-7 shrink-0 place-items-center rounded-full text-[0.8125rem] font-semibold",
          state === "done" && "bg-ok-soft text-ok",
          state === "current" && "bg-primary text-on-primary",
          state === "later" && "border border-line bg-surface text-muted",
        )}
      >
        {state === "done" ? <Check className="size-4" /> : number}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-1 basis-56">
            <h3 className={cn("text-[0.9375rem] font-semibold", state === "later" && "text-muted")}>
              {title} <span className="sr-only">({SPOKEN[state]})</span>
            </h3>
            <p className="mt-0.5 text-sm text-muted">{description}</p>
          </div>
          {action}
        </div>
        {children}
      </div>
    </li>
  );
}
