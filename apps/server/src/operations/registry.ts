import { operations as accounts } from "./accounts/index.ts";
import { operations as analytics } from "./analytics/index.ts";
import { operations as connections } from "./connections/index.ts";
import { operations as home } from "./home/index.ts";
import { operations as keys } from "./keys/index.ts";
import { operations as media } from "./media/index.ts";
import { operations as members } from "./members/index.ts";
import { operations as ownDatabase } from "./own-database/index.ts";
import { operations as plan } from "./plan/index.ts";
import { operations as posts } from "./posts/index.ts";
import { operations as sample } from "./sample/index.ts";
import { operations as stores } from "./stores/index.ts";
import { operations as suggestions } from "./suggestions/index.ts";
import { operations as terms } from "./terms/index.ts";
import { operations as transfer } from "./transfer/index.ts";
import { operations as webhooks } from "./webhooks/index.ts";
import { operations as websites } from "./websites/index.ts";
import { operations as workspaces } from "./workspaces/index.ts";

/** Everything a person or a tool can do, by name. Transports and the tests of policy and tenancy walk this list. */
export const registry = {
  ...accounts,
  ...workspaces,
  ...members,
  ...websites,
  ...transfer,
  ...plan,
  ...keys,
  ...posts,
  ...terms,
  ...suggestions,
  ...media,
  ...sample,
  ...stores,
  ...ownDatabase,
  ...webhooks,
  ...analytics,
  ...home,
  ...connections,
} as const;

export type Registry = typeof registry;
export type OperationName = keyof Registry;
