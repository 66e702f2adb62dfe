import { Extension } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import { editorSlot } from "./editor-slot.ts";

/** What was typed after a slash, and where the slash stands. */
export interface SlashQuery {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** The slash stands right behind a word, as in and/or: little is offered there, and late. */
  readonly afterWord: boolean;
}

interface SlashState {
  readonly query: SlashQuery | null;
  /** Where a slash was dismissed with Escape; it does not ask again. */
  readonly dismissed: number | null;
}

const key = new PluginKey<SlashState>("slashMenu");
export const slashQuery = (state: EditorState): SlashQuery | null => key.getState(state)?.query ?? null;

/** Who is asked first about a key while the menu is open. */
export const slashKeys = editorSlot<(event: KeyboardEvent) => boolean>();

/** Follows a slash at the start of a line, after a space, or after a word. What is shown for it, and the keys, are the menu's. */
export const SlashMenu = Extension.create({
  name: "slashMenu",
  priority: 1_000,
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin<SlashState>({
        key,
        state: {
          init: () => ({ query: null, dismissed: null }),
          apply: (tr, before, _old, state) => {
            const found = findSlash(state);
            const dismissed = before.dismissed === null ? null : tr.mapping.map(before.dismissed);
            if (tr.getMeta(key) === "dismiss") return { query: null, dismissed: found?.from ?? null };
            if (found === null) return { query: null, dismissed: null };
            // Only typing opens the menu, not a cursor that passes by.
            const isOpen = before.query !== null || tr.docChanged;
            return found.from === dismissed || !isOpen ? { query: null, dismissed } : { query: found, dismissed: null };
          },
        },
        props: {
          handleKeyDown: (view, event) => {
            // In Safari the Enter that ends a composition comes after it, and is known by its code only.
            // oxlint-disable-next-line typescript/no-deprecated
            if (slashQuery(view.state) === null || event.isComposing || event.keyCode === 229) return false;
            if (event.key === "Escape") {
              view.dispatch(view.state.tr.setMeta(key, "dismiss"));
              return true;
            }
            return slashKeys.get(editor)?.(event) ?? false;
          },
        },
      }),
    ];
  },
});

/** A word and the marks around it, but nothing of an address or a path; and enough letters to be no accident. */
const AFTER_WORD = /(?:^|\s)(?:(?!\/)\p{P})*[\p{L}\p{N}\p{M}'’-]+(?:(?![/:])\p{P})*\/(\p{L}{4,24})$/u;

function findSlash({ selection, doc }: EditorState): SlashQuery | null {
  const { $from, empty } = selection;
  if (!empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true) return null;
  const before = $from.parent.textBetween(Math.max(0, $from.parentOffset - 40), $from.parentOffset, "\ufffc", "\ufffc");
  const afterWord = AFTER_WORD.exec(before);
  const match = afterWord ?? /(?:^|\s)\/([\p{L}\p{N} ]{0,24})$/u.exec(before);
  if (match === null || /^\s|\s\s/.test(match[1]!)) return null;
  const to = $from.pos;
  const from = to - match[1]!.length - 1;
  return doc
    .resolve(from)
    .marks()
    .some(({ type }) => type.name === "code")
    ? null
    : { from, to, text: match[1]!, afterWord: afterWord !== null };
}
