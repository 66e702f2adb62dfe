import type { LucideIcon } from "lucide-react";

/** One button of a floating toolbar. Pressing it leaves the selection in the text as it is. */
export function ToolButton({
  Icon,
  label,
  keys,
  pressed,
  onPress,
}: {
  Icon: LucideIcon;
  label: string;
  /** Shown with the label, such as ⌘B. */
  keys?: string;
  pressed?: boolean;
  onPress: () => void;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={keys === undefined ? label : `${label} (${keys})`}
      {...(pressed !== undefined && { "aria-pressed": pressed })}
      onMouseDown={(event) => event.preventDefault()}
      onClick={onPress}
    >
      <Icon aria-hidden />
    </button>
  );
}
