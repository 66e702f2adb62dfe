import { fail } from "#domain/failure";

export interface Match<Value> {
  readonly value: Value;
  /** By name, decoded. */
  readonly params: Readonly<Record<string, string>>;
}

interface Node<Value> {
  readonly children: Map<string, Node<Value>>;
  param: { readonly name: string; readonly node: Node<Value> } | null;
  match: Match<Value> | null;
}

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * Finds what answers a path. Patterns such as `/blog/posts/{slugOrId}` become a tree of segments once; a path without
 * parameters is one look into a map.
 */
export function createRouter<Value>(routes: readonly { readonly path: string; readonly value: Value }[]) {
  const fixed = new Map<string, Match<Value>>();
  const root: Node<Value> = emptyNode();
  for (const { path, value } of routes) {
    const match: Match<Value> = { value, params: NO_PARAMS };
    if (!path.includes("{")) fixed.set(path, match);
    else {
      const end = insert(root, path);
      if (end.match) throw new Error(`Two routes answer ${path}.`);
      end.match = match;
    }
  }
  return (path: string): Match<Value> | null => fixed.get(path) ?? walk(root, path, 1, null);
}

function insert<Value>(root: Node<Value>, path: string): Node<Value> {
  let node = root;
  for (const segment of path.slice(1).split("/")) {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      let child = node.children.get(segment);
      if (!child) node.children.set(segment, (child = emptyNode()));
      node = child;
    } else node = (node.param ??= { name, node: emptyNode() }).node;
  }
  return node;
}

/** A literal segment is tried before a parameter. `from` is where the next segment begins, `found` what the parameters before it hold. */
function walk<Value>(node: Node<Value>, path: string, from: number, found: Found | null): Match<Value> | null {
  if (from > path.length) return node.match && { value: node.match.value, params: paramsOf(found) };
  const slash = path.indexOf("/", from);
  const end = slash === -1 ? path.length : slash;
  if (end === from) return null;
  const segment = path.slice(from, end);
  const child = node.children.get(segment);
  const further = child ? walk(child, path, end + 1, found) : null;
  if (further || !node.param) return further;
  return walk(node.param.node, path, end + 1, { name: node.param.name, raw: segment, before: found });
}

interface Found {
  readonly name: string;
  readonly raw: string;
  readonly before: Found | null;
}

function paramsOf(found: Found | null): Record<string, string> {
  const params: Record<string, string> = {};
  for (let each = found; each; each = each.before) params[each.name] = decode(each.raw);
  return params;
}

function decode(raw: string): string {
  if (!raw.includes("%")) return raw;
  let text: string;
  try {
    text = decodeURIComponent(raw);
  } catch {
    throw fail("INVALID_PARAMETER", "The path is not encoded correctly. Encode it with encodeURIComponent.");
  }
  // No name of ours has one, and no store takes it.
  if (text.includes("\u0000")) throw fail("INVALID_PARAMETER", "The path contains a NUL character. Remove it.");
  return text;
}

const emptyNode = <Value>(): Node<Value> => ({ children: new Map(), param: null, match: null });
