import { Ellipsis, Focus, Keyboard, Save } from "lucide-react";
import { IconButton } from "../../../ui/button.tsx";
import { Kbd, MOD } from "../../../ui/kbd.tsx";
import { Menu, MenuItem } from "../../../ui/menu.tsx";
import { useEditorPage } from "../editor-context.tsx";

export function WritingMenu({ onFocus, onHelp }: { onFocus: () => void; onHelp: () => void }) {
  const { autosave, readOnly } = useEditorPage();
  return (
    <Menu
      trigger={
        <IconButton label="Save, focus and shortcuts">
          <Ellipsis />
        </IconButton>
      }
    >
      {!readOnly && (
        <MenuItem onSelect={() => void autosave.save()}>
          <Save aria-hidden />
          <span className="flex-1">Save version</span>
          <Kbd>{MOD}S</Kbd>
        </MenuItem>
      )}
      <MenuItem onSelect={onFocus}>
        <Focus aria-hidden />
        <span className="flex-1">Focus mode</span>
        <Kbd>{MOD}.</Kbd>
      </MenuItem>
      <MenuItem onSelect={onHelp}>
        <Keyboard aria-hidden />
        <span className="flex-1">Keyboard shortcuts</span>
        <Kbd>?</Kbd>
      </MenuItem>
    </Menu>
  );
}
