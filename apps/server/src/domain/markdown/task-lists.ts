import type { MarkdownIt, StateCore, Token } from "markdown-it";

/** `- [ ] open` and `- [x] done`: boxes for reading, which nobody can tick. */
export function taskLists(md: MarkdownIt): void {
  md.core.ruler.push("task_lists", markTasks);
}

function markTasks(state: StateCore): void {
  const lists: Token[] = [];
  state.tokens.forEach((token, i) => {
    if (token.type === "bullet_list_open" || token.type === "ordered_list_open") lists.push(token);
    else if (token.type === "bullet_list_close" || token.type === "ordered_list_close") lists.pop();
    if (token.type !== "inline" || state.tokens[i - 1]?.type !== "paragraph_open" || state.tokens[i - 2]?.type !== "list_item_open") return;
    const first = token.children?.[0];
    const box = first?.type === "text" ? /^\[([ xX])\](?=[ \t])/.exec(first.content) : null;
    if (first === undefined || box === null) return;
    first.content = first.content.slice(box[0].length);
    const input = new state.Token("task_box", "input", 0);
    input.attrSet("type", "checkbox");
    if (box[1] !== " ") input.attrSet("checked", "");
    token.children!.unshift(input);
    state.tokens[i - 2]!.attrSet("class", "task-list-item");
    lists.at(-1)?.attrSet("class", "contains-task-list");
  });
}
