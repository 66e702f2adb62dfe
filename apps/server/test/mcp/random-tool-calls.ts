import type { TermKind } from "@stet/contract";
import { z } from "zod";
import type { Connection } from "#domain/connection";
import type { MediaId, PostId, TermId, WebsiteId } from "#domain/ids";
import { callTool } from "#mcp/call-tool";
import { createCallers } from "#mcp/caller";
import type { Tool } from "#mcp/tool";
import { TOOLS } from "#mcp/tools";
import { createToolCallLog } from "#operations/connections/helpers/tool-call-log";
import { transportServices } from "#operations/kernel/transport-services";
import { newId } from "#domain/ids";
import type { TestServices } from "#test/services";

export type Pick = (below: number) => number;

/** The same numbers for the same seed. */
export function choices(seed: number): Pick {
  let state = (seed * 7_919 + 13) >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

interface Target {
  readonly post: { readonly id: PostId; readonly version: number; readonly body: string } | null;
  readonly thing: { readonly id: string; readonly version: number } | null;
  readonly revisionIds: readonly string[];
}

interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
}

/**
 * Calls any tool of the registry with arguments that fit, most of the time: a field is filled by its name where that means something
 * here, else by its type. So a tool that is added is called as well.
 */
export function randomToolCalls(services: TestServices, websiteId: WebsiteId, pick: Pick) {
  const content = services.contentOf({ id: websiteId });
  const toolCallLog = createToolCallLog(services, () => false);
  const callers = createCallers(transportServices(services), toolCallLog);
  let calls = 0;
  const some = <T>(list: readonly T[]): T | undefined => list[pick(list.length)];

  async function targetFor(tool: Tool, fields: Readonly<Record<string, JsonSchema>>): Promise<Target> {
    const all = ["draft", "scheduled", "published", "unpublished", "deleted"] as const;
    const listed = fields.post
      ? (await content.posts.list(websiteId, { statuses: all, sort: "-createdAt", after: null, limit: 100 })).rows
      : [];
    const chosen = some(listed);
    const post = chosen ? await content.posts.get(websiteId, chosen.id) : null;
    const revisions = post ? (await content.revisions.list(websiteId, post.id, { after: null, limit: 20 })).rows : [];
    const thing = fields.id ? (tool.name.includes("media") ? some(await images()) : some(await terms(kindOf(tool)))) : undefined;
    return {
      post: post && { id: post.id, version: post.version, body: post.working.body },
      thing: thing ? { id: thing.id, version: thing.version } : null,
      revisionIds: revisions.map(({ id }) => id),
    };
  }
  const kindOf = ({ name }: Tool): TermKind =>
    (["category", "tag", "author"] as const).find((kind) => name.endsWith(kind)) ?? (["category", "tag", "author"] as const)[pick(3)]!;
  const terms = async (kind: TermKind) => (await content.terms.list(websiteId, { kind, after: null, limit: 100 })).rows;
  const images = async () => (await content.media.list(websiteId, { after: null, limit: 100 })).rows;

  async function valueOf(name: string, schema: JsonSchema, target: Target): Promise<unknown> {
    const nth = ++calls;
    switch (name) {
      case "website":
        return websiteId;
      case "post":
        return target.post?.id;
      case "id":
        return target.thing?.id;
      case "expectedVersion":
        return pick(12) === 0 ? 999 : (target.post ?? target.thing)?.version;
      case "revision":
      case "from":
      case "to":
        return some(target.revisionIds);
      case "categories":
        return (await terms("category")).filter(() => pick(2) === 0).map(({ id }) => id as TermId);
      case "tags":
        return (await terms("tag")).filter(() => pick(2) === 0).map(({ id }) => id as TermId);
      case "authors":
        return (await terms("author")).filter(() => pick(2) === 0).map(({ id }) => id as TermId);
      case "coverImage":
      case "portrait":
        return (some(await images())?.id as MediaId | undefined) ?? null;
      case "at":
        return new Date(services.now.getTime() + (1 + pick(30)) * 60_000).toISOString();
      case "publishedAt":
        return "2020-01-01T00:00:00Z";
      case "edits":
        return [
          { find: some((target.post?.body ?? "").split("\n\n").filter((part) => part !== "")) ?? "nothing", replace: `by a tool ${nth}` },
        ];
      case "base64":
        return PIXEL;
      case "url":
        return undefined;
      case "filename":
        return `tool-${nth}.png`;
      case "slug":
        return `by-a-tool-${nth}`;
      case "focalPoint":
        return pick(3) === 0 ? null : { x: pick(11) / 10, y: pick(11) / 10 };
      case "crop":
        return pick(3) === 0 ? null : { x: pick(5) / 10, y: pick(5) / 10, width: 0.5, height: (1 + pick(5)) / 10 };
      case "evenIfUsed":
        return true;
      case "canonicalUrl":
      case "ogImageUrl":
        return "https://example.com/by-a-tool";
      default:
        return byType(schema, `By a tool ${nth}`);
    }
  }

  function byType(schema: JsonSchema, words: string): unknown {
    const [first] = schema.anyOf ?? [];
    if (first) return byType(first, words);
    if (schema.enum) return some(schema.enum);
    if (schema.type === "string") return words;
    if (schema.type === "boolean") return pick(2) === 0;
    if (schema.type === "integer" || schema.type === "number") return 1 + pick(3);
    return schema.type === "array" ? [] : {};
  }

  return {
    /** Answers the tool's name, and whether it was done. */
    async one(connection: Connection): Promise<{ readonly name: string; readonly done: boolean; readonly text: string }> {
      const tool = TOOLS[pick(TOOLS.length)]!;
      const schema = z.toJSONSchema(tool.input, { io: "input", unrepresentable: "any" }) as JsonSchema;
      const fields = schema.properties ?? {};
      const target = await targetFor(tool, fields);
      const given: Record<string, unknown> = {};
      for (const [name, field] of Object.entries(fields)) {
        const isNeeded =
          schema.required?.includes(name) || ["website", "id", "expectedVersion", "name", "base64", "evenIfUsed"].includes(name);
        if (isNeeded || pick(3) === 0) given[name] = await valueOf(name, field, target);
      }
      if (given.id === undefined) delete given.expectedVersion;
      if (given.post !== undefined && fields.expectedVersion) given.expectedVersion ??= target.post?.version;
      const arguments_ = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
      if (fields.post && target.post && fields.expectedVersion) arguments_.expectedVersion = pick(12) === 0 ? 999 : target.post.version;
      const caller = callers({ extra: { connection, requestId: newId("request") } } as never);
      const options = {
        toolCallLog,
        isOutage: () => false,
        onFault: (error: unknown) => {
          throw new Error(`${tool.name} failed unexpectedly`, { cause: error });
        },
      };
      const result = await callTool(tool, arguments_, caller, options);
      const [block] = result.content;
      return { name: tool.name, done: !result.isError, text: block?.type === "text" ? block.text : "" };
    },
    close: () => toolCallLog.close(),
  };
}
