import { PLAN_NAMES, type PlanName } from "@stet/contract";
import { normaliseEmail } from "#domain/email";
import { readArguments, stopIfWrong } from "./options.ts";

const USAGE = "bootstrap --email E --password P --workspace W --website S [--plan PLAN] [--posts N] [--json]";

export interface BootstrapOptions {
  readonly email: string;
  readonly password: string;
  readonly workspace: string;
  readonly website: string;
  /** Null: what the workspace has, or what a new one starts on (the first one of an install: as by the setup link). */
  readonly plan: PlanName | null;
  readonly posts: number;
  readonly json: boolean;
}

const NEEDED = ["email", "password", "workspace", "website"] as const;

export function readBootstrapOptions(args: readonly string[]): BootstrapOptions {
  const { values, flags, problems } = readArguments(args, { values: [...NEEDED, "plan", "posts"], flags: ["json"] });
  const value = (name: string) => values.get(name)?.trim() ?? "";
  for (const name of NEEDED) if (!values.has(name)) problems.push(`--${name} is missing.`);
  for (const name of ["workspace", "website"]) if (values.has(name) && value(name) === "") problems.push(`--${name} must not be empty.`);
  const email = normaliseEmail(value("email"));
  if (values.has("email") && email === null) problems.push(`--email is not an email address: "${value("email")}".`);
  const plan = PLAN_NAMES.find((name) => name === value("plan")) ?? null;
  if (values.has("plan") && plan === null) problems.push(`--plan must be one of ${PLAN_NAMES.join(", ")}.`);
  const posts = /^\d{1,6}$/.test(value("posts")) ? Number(value("posts")) : 0;
  if (values.has("posts") && (!/^\d{1,6}$/.test(value("posts")) || posts > 100_000))
    problems.push("--posts must be a number from 0 to 100000.");
  stopIfWrong(problems, USAGE);
  return {
    email: email!,
    // Not trimmed: a space may be part of it.
    password: values.get("password")!,
    workspace: value("workspace"),
    website: value("website"),
    plan,
    posts,
    json: flags.has("json"),
  };
}
