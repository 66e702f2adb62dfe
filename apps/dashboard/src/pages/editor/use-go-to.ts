import { type RefObject, useEffect, useState } from "react";
import type { BodyEditorHandle, BodyPart } from "../../editor/body-editor-props.ts";
import type { PanelState, PanelTab } from "./panel/use-panel.ts";
import type { Finding } from "./publish/use-checks.ts";

const PART_OF: Partial<Record<Finding["kind"], BodyPart["kind"]>> = {
  "heading-skips": "heading",
  "image-alt-missing": "image",
  "link-broken": "link",
  "title-repeated": "heading",
};

/** Fields that are no part of the text stand in the panel, under this tab. */
function tabOf(field: string): PanelTab | null {
  if (field === "title" || field === "body") return null;
  return field.startsWith("seo.") ? "seo" : "post";
}

/** Leads from a finding to what it is about: its field takes the focus, its piece of the text is selected. */
export function useGoTo(body: RefObject<BodyEditorHandle | null>, panel: PanelState): (finding: Finding) => void {
  const [finding, setFinding] = useState<Finding | null>(null);
  useEffect(() => {
    if (!finding) return;
    // After the dialog that showed it has closed: it gives the focus back first.
    const timer = setTimeout(() => {
      setFinding(null);
      go(finding, body.current);
    });
    return () => clearTimeout(timer);
  }, [finding, body]);
  return (chosen) => {
    const tab = tabOf(chosen.where.field);
    if (tab) panel.show(tab);
    else if (!panel.isWide) panel.close();
    setFinding(chosen);
  };
}

function go({ kind, where: { field, detail } }: Finding, body: BodyEditorHandle | null): void {
  const part = PART_OF[kind];
  if (part && detail !== null) return body?.goTo({ kind: part, value: detail });
  if (field === "body") return body?.focus();
  const fieldElement = document.querySelector(`[data-field="${CSS.escape(field)}"]`);
  fieldElement?.scrollIntoView({ block: "center" });
  fieldElement?.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
}
