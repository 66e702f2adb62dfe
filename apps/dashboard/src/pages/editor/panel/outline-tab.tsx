import type { OutlineHeading } from "../../../editor/body-editor-props.ts";

export function OutlineTab({ outline, onHeading }: { outline: readonly OutlineHeading[]; onHeading: (id: string) => void }) {
  if (outline.length === 0) return <p className="text-sm text-muted">Headings appear here. Type # and a space to add one.</p>;
  const top = Math.min(...outline.map(({ depth }) => depth));
  return (
    <nav aria-label="Outline">
      <ul className="flex flex-col">
        {outline.map(({ id, depth, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- two headings may say the same
          <li key={`${id} ${index}`} style={{ paddingLeft: `${(depth - top) * 0.875}rem` }}>
            <button
              type="button"
              onClick={() => onHeading(id)}
              className="w-full truncate rounded-md px-2 py-1.5 text-left text-sm hover:bg-hover"
            >
              {text || "Empty heading"}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  );
}
