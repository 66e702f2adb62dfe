import { ArrowDown, ArrowUp, Pencil, Trash2 } from "lucide-react";
import type { FieldDefinition } from "../../api/answers.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { FIELD_WORDS } from "./field-words.ts";

export function FieldRow({
  definition,
  isFirst,
  isLast,
  busy,
  onMove,
  onEdit,
  onDelete,
}: {
  definition: FieldDefinition;
  isFirst: boolean;
  isLast: boolean;
  busy: boolean;
  onMove: (by: 1 | -1) => void;
  onEdit: () => void;
  onDelete: () => void;
}) {
  const { key, label, type, required, help, options } = definition;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5">
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2 text-sm font-medium">
          <span className="break-words">{label}</span>
          <Badge>{FIELD_WORDS[type].label}</Badge>
          {required && <Badge tone="warn">Required</Badge>}
        </p>
        <p className="mt-0.5 text-[0.8125rem] break-words text-muted">
          <code className="break-all">{key}</code>
          {help && ` · ${help}`}
          {options.length > 0 && ` · ${options.join(", ")}`}
        </p>
      </div>
      <div className="flex items-center gap-0.5">
        <IconButton label={`Move ${label} up`} size="sm" disabled={isFirst || busy} onClick={() => onMove(-1)}>
          <ArrowUp />
        </IconButton>
        <IconButton label={`Move ${label} down`} size="sm" disabled={isLast || busy} onClick={() => onMove(1)}>
          <ArrowDown />
        </IconButton>
        <IconButton label={`Edit ${label}`} size="sm" disabled={busy} onClick={onEdit}>
          <Pencil />
        </IconButton>
        <IconButton label={`Delete ${label}`} size="sm" disabled={busy} onClick={onDelete}>
          <Trash2 />
        </IconButton>
      </div>
    </li>
  );
}
