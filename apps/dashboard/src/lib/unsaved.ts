import { useEffect } from "react";

const forms = new Set<symbol>();

/** Says that a form on the page holds something that is not saved. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return;
    const form = Symbol("unsaved");
    forms.add(form);
    return () => void forms.delete(form);
  }, [isUnsaved]);
}

export const hasUnsaved = (): boolean => forms.size > 0;
