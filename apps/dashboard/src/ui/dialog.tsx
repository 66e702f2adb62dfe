import { X } from "lucide-react";
import { Dialog as Radix } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { restoreFocus } from "../lib/focus-history.ts";
import { buttonClass } from "./button.tsx";

const WIDTHS = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl", xl: "max-w-6xl" } as const;
export type DialogWidth = keyof typeof WIDTHS;

/** Focuses the first field, else the first button that answers the question. The close button is never focused first: nobody opens a dialog to close it. */
const FOCUS_ORDER = [
  "[data-body] :is(input, textarea, select):enabled:not([type=hidden], [tabindex='-1'])",
  "[type=submit]:enabled",
  "footer button:enabled",
  "[data-body] :is(button:enabled, a[href])",
];

/** A question or a form above the page. Escape and the backdrop close it; the focus goes back where it was. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  footer,
  width = "sm",
}: {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  footer?: ReactNode;
  width?: DialogWidth;
}) {
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Radix.Content
          className={cn(
            "appear fixed inset-x-3 top-[max(0.75rem,8vh)] z-50 mx-auto flex max-h-[84dvh] flex-col rounded-card border border-line bg-raised shadow-raised",
            WIDTHS[width],
          )}
          onOpenAutoFocus={(event) => {
            const content = event.currentTarget as HTMLElement;
            const first = FOCUS_ORDER.map((selector) => content.querySelector<HTMLElement>(selector)).find((found) => found !== null);
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus();
          }}
          {...(description === undefined && { "aria-describedby": undefined })}
        >
          <header className="flex items-start justify-between gap-4 px-5 pt-4">
            <div className="min-w-0 pt-1">
              <Radix.Title className="text-base font-semibold">{title}</Radix.Title>
              {description !== undefined && <Radix.Description className="mt-1 text-sm text-muted">{description}</Radix.Description>}
            </div>
            {/* Without a tooltip: it would open with the focus, and take the first Escape for itself. */}
            <Radix.Close aria-label="Close" className={cn(buttonClass({ variant: "ghost", size: "sm" }), "-mr-1.5 w-8 px-0")}>
              <X aria-hidden />
            </Radix.Close>
          </header>
          <div data-body className="min-h-0 overflow-y-auto px-5 py-4">
            {children}
          </div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
