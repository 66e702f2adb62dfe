import { type ReactNode, useId } from "react";
import { cn } from "../lib/cn.ts";

export interface FieldControl {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/** A label, a control, its help and its error, tied together for screen readers. */
export function Field({
  label,
  help,
  error,
  optional = false,
  hideLabel = false,
  className,
  children,
}: {
  label: ReactNode;
  help?: ReactNode;
  error?: string | undefined;
  optional?: boolean;
  hideLabel?: boolean;
  className?: string;
  children: (control: FieldControl) => ReactNode;
}) {
  const id = useId();
  const described = [error && `${id}-error`, help && `${id}-help`].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className={cn("text-sm font-medium", hideLabel && "sr-only")}>
        {label}
        {optional && <span className="ml-1.5 font-normal text-muted">optional</span>}
      </label>
      {children({ id, ...(described && { "aria-describedby": described }), ...(error && { "aria-invalid": true as const }) })}
      {error && (
        <p id={`${id}-error`} role="alert" className="text-[0.8125rem] text-danger first-letter:uppercase">
          {error}
        </p>
      )}
      {help && (
        <p id={`${id}-help`} className="text-[0.8125rem] text-muted">
          {help}
        </p>
      )}
    </div>
  );
}
