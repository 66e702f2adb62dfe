import { Popover as Radix } from "radix-ui";
import type { ReactNode } from "react";

/** A small panel beside what opened it. */
export function Popover({
  trigger,
  children,
  label,
  open,
  onOpenChange,
  align = "start",
}: {
  trigger: ReactNode;
  children: ReactNode;
  /** The name of the panel, for screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: "start" | "center" | "end";
}) {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          className="appear z-50 w-80 max-w-[calc(100vw-1rem)] rounded-card border border-line bg-raised p-4 shadow-raised"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
