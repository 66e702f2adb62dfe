import type { ComponentProps, ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { Spinner } from "./spinner.tsx";
import { Tooltip } from "./tooltip.tsx";

const VARIANTS = {
  primary: "bg-primary text-on-primary hover:opacity-90",
  accent: "bg-accent text-on-primary hover:opacity-90",
  outline: "border border-line bg-surface text-text hover:bg-hover",
  ghost: "text-text hover:bg-hover",
  danger: "bg-danger text-on-primary hover:opacity-90",
  "danger-outline": "border border-line bg-surface text-danger hover:bg-danger-soft",
} as const;

const SIZES = {
  sm: "h-8 gap-1.5 px-2.5 text-[0.8125rem]",
  md: "h-9 gap-2 px-3.5 text-sm",
  lg: "h-11 gap-2 px-5 text-[0.9375rem]",
} as const;

export interface ButtonStyle {
  variant?: keyof typeof VARIANTS;
  size?: keyof typeof SIZES;
}

/** For links that look like buttons. */
export const buttonClass = ({ variant = "outline", size = "md" }: ButtonStyle = {}): string =>
  cn(
    "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-control font-medium transition-[background-color,opacity] duration-100",
    "disabled:pointer-events-none disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0",
    VARIANTS[variant],
    SIZES[size],
  );

export type ButtonProps = ComponentProps<"button"> &
  ButtonStyle & { /** Shows that the work goes on, and takes no second click. */ busy?: boolean };

export function Button({ variant, size, busy = false, className, children, disabled, type = "button", ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={cn(buttonClass({ ...(variant && { variant }), ...(size && { size }) }), className)}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      {...rest}
    >
      {busy && <Spinner />}
      {children}
    </button>
  );
}

/** A button that shows only an icon; its label is read out and shown as a tooltip. */
export function IconButton({
  label,
  children,
  className,
  variant = "ghost",
  size = "md",
  type = "button",
  ...rest
}: ComponentProps<"button"> & ButtonStyle & { label: string; children: ReactNode }) {
  return (
    <Tooltip text={label}>
      <button
        type={type}
        aria-label={label}
        className={cn(buttonClass({ variant, size }), size === "sm" ? "w-8 px-0" : "w-9 px-0", className)}
        {...rest}
      >
        {children}
      </button>
    </Tooltip>
  );
}
