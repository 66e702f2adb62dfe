import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

/** A table that becomes a list of cards on a phone: each cell then says what it is. */
export function StackedTable({ label, columns, children }: { label: string; columns: readonly string[]; children: ReactNode }) {
  return (
    <table aria-label={label} className="w-full text-sm max-md:block">
      <thead className="max-md:sr-only">
        <tr className="border-b border-line">
          {columns.map((column) => (
            <th key={column} scope="col" className="px-3 py-2.5 text-left text-xs font-medium text-muted first:pl-5 last:pr-5">
              {/* Buttons stand at the end of their row and speak for themselves; a word above them would stand elsewhere. */}
              <span className={cn(column === "Actions" && "sr-only")}>{column}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line max-md:block">{children}</tbody>
    </table>
  );
}

export const StackedRow = ({ faded = false, children }: { faded?: boolean; children: ReactNode }) => (
  <tr className={cn("max-md:flex max-md:flex-col max-md:gap-1.5 max-md:px-5 max-md:py-4", faded && "text-muted")}>{children}</tr>
);

/** Without `label` the cell speaks for itself (a name, a row of buttons). */
export function StackedCell({ label, className, children }: { label?: string; className?: string; children: ReactNode }) {
  return (
    <td
      className={cn(
        "min-w-0 align-middle max-md:flex max-md:items-baseline max-md:justify-between max-md:gap-4 md:px-3 md:py-3 md:first:pl-5 md:last:pr-5",
        className,
      )}
    >
      {label && <span className="shrink-0 text-muted md:hidden">{label}</span>}
      {children}
    </td>
  );
}
