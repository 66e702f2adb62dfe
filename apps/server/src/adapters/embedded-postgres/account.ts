import { spawnSync } from "node:child_process";
import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** The system user that PostgreSQL runs as. Null: the user of this process, which is not root. */
export type Account = { readonly uid: number; readonly gid: number; readonly name: string } | null;

const DEDICATED = "stet-postgres";

/**
 * PostgreSQL refuses to run as root. Started by root, it runs as the user who owns the database already, else as a user of
 * its own, so that no other process on the machine can read the files or use the socket.
 */
export async function chooseAccount(folder: string, report: (message: string) => void): Promise<Account> {
  if (process.getuid?.() !== 0) return null;
  const owner = await stat(folder).catch(() => null);
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `user ${owner.uid}` };
  const dedicated = lookUp(DEDICATED) ?? (await createDedicated());
  if (dedicated) return dedicated;
  const nobody = lookUp("nobody");
  if (!nobody) {
    throw new Error(
      `PostgreSQL must not run as root, and no other user can be used: useradd failed and there is no user "nobody". ` +
        `Create a user named ${DEDICATED}, start Stet as an ordinary user, or set DATABASE_URL.`,
    );
  }
  report(
    `The user ${DEDICATED} could not be created, so PostgreSQL runs as "nobody": other processes of that user can read the database. ` +
      `Create a user named ${DEDICATED} to close this.`,
  );
  return nobody;
}

/** How to run a program as this account, for the options of child_process. */
export const asAccount = (account: Account): { uid?: number; gid?: number } => (account ? { uid: account.uid, gid: account.gid } : {});

async function createDedicated(): Promise<Account> {
  const options = ["--system", "--user-group", "--no-create-home", "--home-dir", "/nonexistent", "--shell", "/usr/sbin/nologin"];
  const made = spawnSync("useradd", [...options, DEDICATED], { stdio: "ignore" });
  // Another process may be making it right now, which also makes ours fail.
  const attempts = made.error ? 1 : 20;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = lookUp(DEDICATED);
    if (found) return found;
    await sleep(50);
  }
  return null;
}

function lookUp(name: string): Account {
  const [uid, gid] = ["-u", "-g"].map((flag) => {
    const asked = spawnSync("id", [flag, name], { encoding: "utf8" });
    return asked.status === 0 ? Number(asked.stdout.trim()) : null;
  });
  return typeof uid === "number" && typeof gid === "number" ? { uid, gid, name } : null;
}
