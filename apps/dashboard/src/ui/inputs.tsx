import { Check, ChevronDown, Minus } from "lucide-react";
import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";
import { cn } from "../lib/cn.ts";

const box =
  "w-full rounded-control border border-line-strong/60 bg-surface text-sm text-text placeholder:text-muted " +
  "focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-accent disabled:opacity-60 aria-invalid:border-danger";

export const Input = ({ className, ...rest }: ComponentProps<"input">) => (
  <input dir="auto" className={cn(box, "h-9 px-3", className)} {...rest} />
);

export const Textarea = ({ className, ...rest }: ComponentProps<"textarea">) => (
  <textarea dir="auto" className={cn(box, "min-h-20 px-3 py-2 leading-relaxed", className)} {...rest} />
);

/** The browser's own list: it works with every keyboard, screen reader and phone. */
export function Select({ className, children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={cn("relative inline-flex w-full", className)}>
      <select className={cn(box, "h-9 appearance-none truncate pr-8 pl-3")} {...rest}>
        {children}
      </select>
      <ChevronDown aria-hidden className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted" />
    </span>
  );
}

export function Checkbox({ className, ...rest }: ComponentProps<typeof RadixCheckbox.Root>) {
  return (
    <RadixCheckbox.Root
      className={cn(
        "grid size-4.5 shrink-0 place-items-center rounded border border-line-strong bg-surface text-on-primary",
        "data-[state=checked]:border-primary data-[state=checked]:bg-primary data-[state=indeterminate]:bg-primary disabled:opacity-50",
        className,
      )}
      {...rest}
    >
      <RadixCheckbox.Indicator>
        <Check aria-hidden className="size-3.5 in-data-[state=indeterminate]:hidden" strokeWidth={3} />
        <Minus aria-hidden className="hidden size-3.5 in-data-[state=indeterminate]:block" strokeWidth={3} />
      </RadixCheckbox.Indicator>
    </RadixCheckbox.Root>
  );
}

/** A setting that acts at once or with the form around it, with its label and what it means. */
export function SwitchField({
  label,
  help,
  ...rest
}: { label: ReactNode; help?: ReactNode } & Omit<ComponentProps<typeof RadixSwitch.Root>, "children">) {
  return (
    <label className="flex items-start justify-between gap-4">
      <span className="flex flex-col gap-0.5">
        <span className="text-sm font-medium">{label}</span>
        {help && <span className="text-[0.8125rem] text-muted">{help}</span>}
      </span>
      <RadixSwitch.Root
        className="relative mt-0.5 h-5.5 w-9.5 shrink-0 rounded-full bg-line-strong transition-colors data-[state=checked]:bg-ok disabled:opacity-50"
        {...rest}
      >
        <RadixSwitch.Thumb className="block size-4.5 translate-x-0.5 rounded-full bg-white shadow transition-transform data-[state=checked]:translate-x-4.5" />
      </RadixSwitch.Root>
    </label>
  );
}
