import type { UserId } from "#domain/ids";
import type { Auth } from "./auth.ts";

/** For the operator: the library itself does it only for a person who is signed in and has the password. */
export async function turnOffSecondFactor(auth: Auth, userId: UserId): Promise<void> {
  const { adapter, internalAdapter } = await auth.$context;
  await internalAdapter.updateUser(userId, { twoFactorEnabled: false });
  await adapter.deleteMany({ model: "twoFactor", where: [{ field: "userId", value: userId }] });
}
