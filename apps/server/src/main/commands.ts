import type { Command } from "./command.ts";

interface CommandEntry {
  readonly usage: string;
  readonly about: string;
  /** Loaded when called, so that `stet help` does not load a database driver. */
  readonly load: () => Promise<Command>;
}

/** Every command there is. To add one: its file, and an entry here. */
export const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  serve: { usage: "serve", about: "start the service (what `npm start` does)", load: async () => (await import("./serve.ts")).serve },
  bootstrap: {
    usage: "bootstrap --email E --password P --workspace W --website S [--plan PLAN] [--posts N] [--json]",
    about: "create an account, a workspace and a website with sample posts and a key",
    load: async () => (await import("./commands/bootstrap.ts")).bootstrap,
  },
  "plan set": {
    usage: "plan set WORKSPACE_ID PLAN",
    about: "change the plan of a workspace",
    load: async () => (await import("./commands/plan-set.ts")).planSet,
  },
  "images move": {
    usage: "images move --install --to disk|s3",
    about: "move the images of all websites to the disk or to the bucket of MEDIA_URL; can be stopped and repeated",
    load: async () => (await import("./commands/images-move.ts")).imagesMove,
  },
  "secret reseal": {
    usage: "secret reseal",
    about: "seal everything with the first secret of STET_SECRET, so that the older ones can be taken out",
    load: async () => (await import("./commands/secret-reseal.ts")).secretReseal,
  },
  "secret replace": {
    usage: "secret replace [--yes]",
    about: "go on with another secret when the one before is lost; says what that costs first",
    load: async () => (await import("./commands/secret-replace.ts")).secretReplace,
  },
  "user reset-link": {
    usage: "user reset-link EMAIL [--without-second-factor]",
    about: "print a password reset link; also for people who lost their second factor",
    load: async () => (await import("./commands/user-reset-link.ts")).userResetLink,
  },
  export: {
    usage: "export WEBSITE_ID [--out FILE]",
    about: "export all content of a website as newline-delimited JSON",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  import: {
    usage: "import WEBSITE_ID FILE [--json]",
    about: "import an export into a website",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  login: {
    usage: "login [--url URL]",
    about: "sign in to a Stet server from this machine, through a browser",
    load: async () => (await import("./commands/login.ts")).login,
  },
  whoami: {
    usage: "whoami [--json]",
    about: "show who is signed in on this machine, and with which access",
    load: async () => (await import("./commands/whoami.ts")).whoami,
  },
  logout: {
    usage: "logout",
    about: "sign out on this machine",
    load: async () => (await import("./commands/logout.ts")).logout,
  },
  listen: {
    usage: "listen [--website ID] --forward URL [--secret SECRET]",
    about: "forward the events of a website to a program on this machine, like a webhook",
    load: async () => (await import("./commands/listen.ts")).listen,
  },
  doctor: {
    usage: "doctor",
    about: "check this server and say how to fix problems",
    load: async () => (await import("./doctor.ts")).doctor,
  },
  docs: {
    usage: "docs [--check]",
    about: "write the generated pages of docs/, or list the outdated ones",
    load: async () => (await import("./docs.ts")).docs,
  },
  help: { usage: "help", about: "show this list", load: async () => help },
};

const help: Command = async () => {
  const lines = Object.values(COMMANDS).map(({ usage, about }) => `  ${usage}\n      ${about}`);
  process.stdout.write(`Usage: npm run stet -- COMMAND\n\n${lines.join("\n")}\n\nSettings come from the environment: docs/settings.md\n`);
  return 0;
};
