import { useOp } from "../api/hooks.ts";
import type { Output } from "../api/wire.ts";
import { useWebsiteContext } from "./website-context.ts";

type ActorRef = Output<"get_post">["editedBy"];

/** Names of actors for people: a person, the app of a person, or the service itself. */
export function useActorNames(actors: readonly ActorRef[]): (actor: ActorRef) => string {
  const { workspace, session } = useWebsiteContext();
  const userIds = [...new Set(actors.map(({ userId }) => userId).filter((id) => id !== null))].slice(0, 200).toSorted();
  const members = useOp("list_people", { workspaceId: workspace.id, userIds }, { keepPrevious: true, enabled: userIds.length > 0 });
  return (actor) => {
    if (actor.userId === null) return actor.type === "system" ? `Stet (${actor.id})` : "Stet";
    const name =
      actor.userId === session.user.id ? "You" : (members.data?.find(({ userId }) => userId === actor.userId)?.name ?? "Someone");
    return actor.type === "tool" ? `An app of ${name === "You" ? "yours" : name}` : name;
  };
}
