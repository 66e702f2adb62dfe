import type { Command } from "@tiptap/pm/state";
import {
  addColumnAfter,
  addColumnBefore,
  addRowAfter,
  addRowBefore,
  deleteColumn,
  deleteRow,
  deleteTable,
  isInTable,
  selectedRect,
} from "@tiptap/pm/tables";
import { useEditorState } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  BetweenHorizontalEnd,
  BetweenHorizontalStart,
  BetweenVerticalEnd,
  BetweenVerticalStart,
  FoldHorizontal,
  FoldVertical,
  Trash2,
} from "lucide-react";
import { Floating } from "./floating.tsx";
import { ToolButton } from "./tool-button.tsx";

type Align = "left" | "center" | "right";

/** Rows, columns and alignment of the table with the cursor. */
export function TableToolbar({ editor, isNear }: { editor: Editor; isNear: boolean }) {
  const state = useEditorState({
    editor,
    selector: ({ editor: { state: now, isEditable } }) => {
      if (!isEditable || !isInTable(now) || !now.selection.empty) return null;
      const { tableStart, map, table, left } = selectedRect(now);
      const head = map.map[left];
      return { start: tableStart, align: head === undefined ? null : (table.nodeAt(head)?.attrs["align"] as Align | null) };
    },
  });
  if (state === null || !isNear) return null;
  const run = (command: Command) => () => {
    command(editor.state, editor.view.dispatch);
    editor.view.focus();
  };
  const align = (to: Align) => () => {
    const { tableStart, map, left, right } = selectedRect(editor.state);
    const { tr } = editor.state;
    for (let row = 0; row < map.height; row++) {
      for (let column = left; column < right; column++) {
        tr.setNodeAttribute(tableStart + map.map[row * map.width + column]!, "align", state.align === to ? null : to);
      }
    }
    editor.view.dispatch(tr);
    editor.view.focus();
  };
  return (
    <Floating editor={editor} from={state.start + 2} to={state.start + 2} side="above" className="text-toolbar" label="Table">
      <ToolButton Icon={BetweenHorizontalEnd} label="Add a row above" onPress={run(addRowBefore)} />
      <ToolButton Icon={BetweenHorizontalStart} label="Add a row below" onPress={run(addRowAfter)} />
      <ToolButton Icon={BetweenVerticalEnd} label="Add a column before" onPress={run(addColumnBefore)} />
      <ToolButton Icon={BetweenVerticalStart} label="Add a column after" onPress={run(addColumnAfter)} />
      <span className="divider" aria-hidden />
      <ToolButton Icon={AlignLeft} label="Align the column left" pressed={state.align === "left"} onPress={align("left")} />
      <ToolButton Icon={AlignCenter} label="Centre the column" pressed={state.align === "center"} onPress={align("center")} />
      <ToolButton Icon={AlignRight} label="Align the column right" pressed={state.align === "right"} onPress={align("right")} />
      <span className="divider" aria-hidden />
      <ToolButton Icon={FoldVertical} label="Delete the row" onPress={run(deleteRow)} />
      <ToolButton Icon={FoldHorizontal} label="Delete the column" onPress={run(deleteColumn)} />
      <ToolButton Icon={Trash2} label="Delete the table" onPress={run(deleteTable)} />
    </Floating>
  );
}
