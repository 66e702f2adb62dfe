import { ExternalLink, Eye, Globe, Link2 } from "lucide-react";
import { useState } from "react";
import { rpc } from "../../../api/rpc.ts";
import { copyText } from "../../../lib/copy-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, MenuItem, MenuLabel } from "../../../ui/menu.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** Shows the working copy as readers would see it, to everyone who has the link, for an hour. */
export function PreviewMenu() {
  const { autosave, at, settings, readOnly } = useEditorPage();
  const [busy, setBusy] = useState(false);
  const make = async () => {
    if (readOnly === null) await autosave.flush();
    const { token, url } = await rpc("create_preview", at);
    return { own: new URL(`/preview/${token}`, window.location.origin).href, website: url };
  };
  /** The window is opened with the click, before the link is there: browsers block it afterwards. */
  const open = async (which: "own" | "website") => {
    const tab = window.open("about:blank", "_blank");
    setBusy(true);
    try {
      const links = await make();
      if (tab) tab.location.replace(links[which]);
      else toast.error("The browser blocked the new tab. Allow pop-ups for this page, or copy the link.");
    } catch (error) {
      tab?.close();
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  const copy = async () => {
    try {
      const { own } = await make();
      await copyText(own, `Link: ${own}`);
      toast.ok("Link copied. Anyone with the link can see the draft for one hour.");
    } catch (error) {
      toast.error(error);
    }
  };
  return (
    <Menu
      trigger={
        <Button busy={busy} className="px-2.5 sm:px-3.5">
          {!busy && <Eye aria-hidden className="sm:hidden" />}
          <span className="sr-only sm:not-sr-only">Preview</span>
        </Button>
      }
    >
      <MenuItem onSelect={() => void open("own")}>
        <ExternalLink aria-hidden />
        Open preview
      </MenuItem>
      {settings.settings.previewUrl !== null && (
        <MenuItem onSelect={() => void open("website")}>
          <Globe aria-hidden />
          Preview on my website
        </MenuItem>
      )}
      <MenuItem onSelect={() => void copy()}>
        <Link2 aria-hidden />
        Copy preview link
      </MenuItem>
      <MenuLabel>Anyone with the link can see the draft for one hour.</MenuLabel>
    </Menu>
  );
}
