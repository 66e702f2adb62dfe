import { ROLES, type Role } from "@stet/contract";
import { useQuery } from "@tanstack/react-query";
import { UserMinus } from "lucide-react";
import { useState } from "react";
import { useAct } from "../../api/hooks.ts";
import { installOptions } from "../../api/session.ts";
import type { Output } from "../../api/wire.ts";
import { capital } from "../../lib/format.ts";
import { formatDate } from "../../lib/time.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Avatar } from "../../ui/avatar.tsx";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { Select } from "../../ui/inputs.tsx";
import { StackedCell, StackedRow } from "../../ui/stacked-table.tsx";
import { toast } from "../../ui/toast.tsx";

type OrdinaryRole = Exclude<Role, "owner">;
export const ORDINARY_ROLES = ROLES.filter((role): role is OrdinaryRole => role !== "owner");

export function MemberRow({ member }: { member: Output<"list_members">[number] }) {
  const { workspace, session, may } = useWorkspaceContext();
  const at = { workspaceId: workspace.id, userId: member.userId };
  const isSelf = member.userId === session.user.id;
  const isOwner = member.role === "owner";
  // Without mail nobody can confirm an address, so it says nothing about anybody.
  const { data: install } = useQuery(installOptions);
  const [asking, setAsking] = useState<"remove" | OrdinaryRole | null>(null);
  const change = useAct("change_role", { stale: ["list_members", "list_invitations", "session"], onError: toast.error });
  const remove = useAct("remove_member", { stale: ["list_members", "list_invitations"] });

  const giveRole = async (role: OrdinaryRole) => {
    const { previousRole } = await change.mutateAsync({ ...at, role });
    const undo = { label: "Undo", run: () => change.mutate({ ...at, role: previousRole as OrdinaryRole }) };
    toast.ok(`${member.name} now has the role ${role}.`, isSelf || previousRole === "owner" ? undefined : undo);
  };

  return (
    <StackedRow>
      <StackedCell>
        <span className="flex min-w-0 items-center gap-3">
          <Avatar name={member.name} />
          <span className="min-w-0">
            <span className="flex flex-wrap items-center gap-2 font-medium">
              <span className="break-words">{member.name}</span>
              {isSelf && <Badge>You</Badge>}
              {install?.mail && member.email && !member.emailVerified && <Badge tone="warn">Address not confirmed</Badge>}
            </span>
            {member.email && <span className="block text-[0.8125rem] break-all text-muted">{member.email}</span>}
          </span>
        </span>
      </StackedCell>
      <StackedCell label="Role" className="md:w-48">
        {isOwner || !may("member.manage") ? (
          <span className="capitalize">{member.role}</span>
        ) : (
          <Select
            aria-label={`Role of ${member.name}`}
            className="max-md:max-w-44"
            value={member.role}
            disabled={change.isPending}
            onChange={({ target }) => {
              const role = target.value as OrdinaryRole;
              // One's own rights may be gone with it, and nobody could take it back.
              if (isSelf) setAsking(role);
              else void giveRole(role).catch(() => {});
            }}
          >
            {ORDINARY_ROLES.map((role) => (
              <option key={role} value={role}>
                {capital(role)}
              </option>
            ))}
          </Select>
        )}
      </StackedCell>
      <StackedCell label="Joined" className="md:w-36">
        <time dateTime={member.joinedAt} className="whitespace-nowrap text-muted">
          {formatDate(member.joinedAt)}
        </time>
      </StackedCell>
      {may("member.manage") && (
        <StackedCell className="md:w-20">
          <span className="flex w-full justify-end">
            {!isOwner && !isSelf && (
              <IconButton label={`Remove ${member.name}`} size="sm" onClick={() => setAsking("remove")}>
                <UserMinus />
              </IconButton>
            )}
          </span>
          <ConfirmDialog
            open={asking === "remove"}
            onOpenChange={() => setAsking(null)}
            title={`Remove ${member.name}?`}
            action="Remove member"
            onConfirm={async () => {
              await remove.mutateAsync(at);
              toast.ok(`${member.name} is no longer a member.`);
            }}
          >
            They lose access right away, and invitations they sent are withdrawn. Their posts stay.
          </ConfirmDialog>
          <ConfirmDialog
            open={asking !== null && asking !== "remove"}
            onOpenChange={() => setAsking(null)}
            title="Change your own role?"
            action="Change my role"
            onConfirm={() => (asking && asking !== "remove" ? giveRole(asking) : Promise.resolve())}
          >
            You will be {asking}. You may need an owner or admin to change it back.
          </ConfirmDialog>
        </StackedCell>
      )}
    </StackedRow>
  );
}
