import { useOp } from "../api/hooks.ts";
import type { Output } from "../api/wire.ts";
import { useWebsiteContext } from "./website-context.ts";

type ActorRef = Output<"get_post">["editedBy"];

/** Names of actors for people: a person, a connected app, or the service itself. An app of others is named only to those who see it. */
export function useActorNames(actors: readonly ActorRef[]): (actor: ActorRef) => string {
  const { workspace, session } = useWebsiteContext();
  const userIds = [...new Set(actors.map(({ userId }) => userId).filter((id) => id !== null))].slice(0, 200).toSorted();
  const members = useOp("list_people", { workspaceId: workspace.id, userIds }, { keepPrevious: true, enabled: userIds.length > 0 });
  const apps = useOp("list_connections", { workspaceId: workspace.id }, { enabled: actors.some(({ type }) => type === "tool") });
  const appName = (id: string) => [...(apps.data?.connections ?? []), ...(apps.data?.past ?? [])].find((app) => app.id === id)?.client.name;
  return (actor) => {
    if (actor.userId === null) return actor.type === "system" ? `Stet (${actor.id})` : "Stet";
    const name =
      actor.userId === session.user.id ? "You" : (members.data?.find(({ userId }) => userId === actor.userId)?.name ?? "Someone");
    if (actor.type !== "tool") return name;
    return appName(actor.id) ?? `An app of ${name === "You" ? "yours" : name}`;
  };
}
