import type { CommandStartedEvent, MongoClient } from "mongodb";

type Filter = Readonly<Record<string, unknown>>;

/** What a command looks for, or the documents that it inserts: a sharded cluster finds the shard by it. Null: it is not about documents. */
function targetsOf({ commandName, command }: Pick<CommandStartedEvent, "commandName" | "command">): readonly Filter[] | null {
  const body = command as {
    filter?: Filter;
    query?: Filter;
    pipeline?: readonly { $match?: Filter }[];
    updates?: readonly { q: Filter }[];
    deletes?: readonly { q: Filter }[];
    documents?: readonly Filter[];
  };
  if (commandName === "find") return [body.filter ?? {}];
  if (commandName === "findAndModify") return [body.query ?? {}];
  if (commandName === "aggregate") return [body.pipeline?.[0]?.$match ?? {}];
  if (commandName === "update") return body.updates!.map(({ q }) => q);
  if (commandName === "delete") return body.deletes!.map(({ q }) => q);
  return commandName === "insert" ? body.documents! : null;
}

/** Without the place where a sweep goes on. */
const fieldsOf = (filter: Filter): readonly string[] =>
  Object.keys(filter)
    .filter((field) => field !== "_id")
    .toSorted();

/**
 * Looks at the commands of clients that have not connected yet: `untargeted` names those that do not say by equality which website
 * they are about.
 */
export function recordingTargets() {
  const untargeted = new Set<string>();
  const record = (client: MongoClient): void => {
    client.options.monitorCommands = true;
    client.on("commandStarted", (event) => {
      for (const target of targetsOf(event) ?? [])
        if (typeof target["w"] !== "string")
          untargeted.add(`${event.commandName} ${String(event.command[event.commandName])}: ${fieldsOf(target).join(", ")}`);
    });
  };
  return { untargeted, record };
}
