import { type Command, COMMANDS as FROM_ANY_MACHINE, type Commands, describeCommands } from "@stet/cli";

/** Every command there is. To add one: its file, and an entry here. */
export const COMMANDS: Commands = {
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
    usage: "images move --install --to disk|s3 | --website WEBSITE_ID [--url-file FILE|-] [--json]",
    about:
      "move the images of all websites to the disk or to the bucket of MEDIA_URL, or those of one to its own storage; can be stopped and repeated",
    load: async () => (await import("./commands/images-move.ts")).imagesMove,
  },
  "images test": {
    usage: "images test --website WEBSITE_ID --url-file FILE|- [--json]",
    about: "try an image storage of a website's owner; the address is in the file, such as s3://KEY:SECRET@HOST/BUCKET",
    load: async () => (await import("./commands/own-images.ts")).imagesTest,
  },
  "images connect": {
    usage: "images connect --website WEBSITE_ID --url-file FILE|- [--use-public-address] [--json]",
    about: "test an image storage and connect it, or change the key of the one that is connected",
    load: async () => (await import("./commands/own-images.ts")).imagesConnect,
  },
  "images activate": {
    usage: "images activate --website WEBSITE_ID [--json]",
    about: "let new images go to the website's own storage",
    load: async () => (await import("./commands/own-images.ts")).imagesActivate,
  },
  "images stop": {
    usage: "images stop --website WEBSITE_ID [--json]",
    about: "stop moving images; they stay where they are by then",
    load: async () => (await import("./commands/own-images.ts")).imagesStop,
  },
  "images disconnect": {
    usage: "images disconnect --website WEBSITE_ID [--without-copying --confirm WEBSITE_NAME] [--json]",
    about: "copy the images back and leave the website's own storage; nothing is deleted there",
    load: async () => (await import("./commands/own-images.ts")).imagesDisconnect,
  },
  "images status": {
    usage: "images status --website WEBSITE_ID [--json]",
    about: "show where the images of a website lie, and how far moving them is",
    load: async () => (await import("./commands/own-images.ts")).imagesStatus,
  },
  "own-db test": {
    usage: "own-db test --website WEBSITE_ID --url-file FILE|- [--ca-file FILE] [--json]",
    about:
      "try a database of a website's owner and say which step fails; the address is in the file, such as mongodb+srv://USER:PASSWORD@HOST/DATABASE",
    load: async () => (await import("./commands/own-database.ts")).databaseTest,
  },
  "own-db connect": {
    usage: "own-db connect --website WEBSITE_ID --url-file FILE|- [--ca-file FILE] [--json]",
    about: "test a database and connect it, or change the password of the one that is connected",
    load: async () => (await import("./commands/own-database.ts")).databaseConnect,
  },
  "own-db migrate": {
    usage: "own-db migrate --website WEBSITE_ID [--url-file FILE|-] [--ca-file FILE] [--json]",
    about: "copy the content of a website to its own database and compare every record; can be stopped and repeated",
    load: async () => (await import("./commands/own-database.ts")).databaseMigrate,
  },
  "own-db activate": {
    usage: "own-db activate --website WEBSITE_ID [--json]",
    about: "copy the rest, compare everything, and let the content lie in the website's own database",
    load: async () => (await import("./commands/own-database.ts")).databaseActivate,
  },
  "own-db fetch": {
    usage: "own-db fetch --website WEBSITE_ID [--url-file FILE|-] [--ca-file FILE] [--json]",
    about: "fetch what a database has that was left without copying back; nothing changes in it",
    load: async () => (await import("./commands/own-database.ts")).databaseFetch,
  },
  "own-db stop": {
    usage: "own-db stop --website WEBSITE_ID [--json]",
    about: "stop moving content; it stays where it is",
    load: async () => (await import("./commands/own-database.ts")).databaseStop,
  },
  "own-db disconnect": {
    usage: "own-db disconnect --website WEBSITE_ID [--without-copying --confirm WEBSITE_NAME] [--json]",
    about: "copy the content back and leave the website's own database; nothing is deleted there",
    load: async () => (await import("./commands/own-database.ts")).databaseDisconnect,
  },
  "own-db status": {
    usage: "own-db status --website WEBSITE_ID [--json]",
    about: "show where the content of a website lies, and how far moving it is",
    load: async () => (await import("./commands/own-database.ts")).databaseStatus,
  },
  "own-db report": {
    usage: "own-db report --website WEBSITE_ID [--json]",
    about: "print counts and checksums of the last move of a website's content",
    load: async () => (await import("./commands/own-database.ts")).databaseReport,
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
  ...FROM_ANY_MACHINE,
  login: { ...FROM_ANY_MACHINE["login"]!, load: async () => (await import("./commands/login.ts")).login },
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
  process.stdout.write(
    `Usage: npm run stet -- COMMAND\n\n${describeCommands(COMMANDS)}\n\nSettings come from the environment: docs/settings.md\n`,
  );
  return 0;
};
