import type { CallToolResult } from "@modelcontextprotocol/server";
import { answered, failureOf, parseArguments, refused } from "./answers.ts";
import type { ToolCallLog } from "#operations/connections/helpers/tool-call-log";
import { possibleSteps } from "./possible-steps.ts";
import type { Tool } from "./tool.ts";
import { type Caller, ToolRun } from "./tool-run.ts";

export interface CallingOptions {
  readonly toolCallLog: ToolCallLog;
  /** Whether an unexpected error passes by itself: the database is gone or just starting. */
  readonly isOutage: (error: unknown) => boolean;
  /** Reports an error that is ours to fix, with the request it belongs to. */
  readonly onFault: (error: unknown, requestId: string, what: string) => void;
}

/** In the log in the place of an error code: nothing was changed yet, and nothing was refused. */
const HELD = "HELD";

/** Runs a tool. Whatever happens is a result; nothing that is thrown inside reaches the model. */
export async function callTool(tool: Tool, given: unknown, caller: Caller, options: CallingOptions): Promise<CallToolResult> {
  const { toolCallLog } = options;
  toolCallLog.used(caller.connection);
  const run = new ToolRun(caller);
  try {
    const answer = await tool.run(run, parseArguments(tool.input, given));
    await logCall(toolCallLog, tool, run, run.isHeld ? HELD : null);
    return answered(answer);
  } catch (error) {
    const failure = failureOf(error, caller.requestId, options.isOutage);
    if (failure.code === "INTERNAL") options.onFault(error, caller.requestId, tool.name);
    run.versions = null;
    // For any refusal: a call that is faulty in itself is refused before anyone checks whether it may enter the website.
    await run.confirmScope();
    await logCall(toolCallLog, tool, run, failure.code);
    return refused(failure, await possibleSteps(run, failure).catch(() => []));
  }
}

/** Only what reached a workspace has a place in a log. */
export async function logCall(toolCallLog: ToolCallLog, tool: Pick<Tool, "name">, run: ToolRun, refusal: string | null): Promise<void> {
  if (!run.scope) return;
  await run.nameTarget();
  const { before = null, after = null } = run.versions ?? {};
  await toolCallLog.log(run.caller.connection, { ...run.scope, tool: tool.name, target: targetOf(run), refusal, before, after });
}

/** As it was named, before anyone checked it: what is no id is left out, and so are characters that no database takes. */
function targetOf({ target }: ToolRun): ToolRun["target"] {
  if (!target || !/^[a-z]+_[0-9a-z]{26}$/.test(target.id)) return null;
  return { id: target.id, label: target.label.toWellFormed().replaceAll("\u0000", "").slice(0, 500) };
}
