import type { Commands } from "./command.ts";

/** Every command that works from any machine. To add one: its file, and an entry here. */
export const COMMANDS: Commands = {
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
  types: {
    usage: "types [--website ID] [--out FILE]",
    about: "write the custom fields of a website as a TypeScript module for @stet/client",
    load: async () => (await import("./commands/types.ts")).types,
  },
  pull: {
    usage: "pull [FOLDER] [--website ID]",
    about: "write the posts of a website as Markdown files; files that you edited are kept",
    load: async () => (await import("./commands/pull.ts")).pull,
  },
  push: {
    usage: "push [FOLDER] [--website ID] [--dry-run] [--yes]",
    about: "save edited Markdown files to their posts, and new ones as drafts; nothing is published or deleted",
    load: async () => (await import("./commands/push.ts")).push,
  },
};
