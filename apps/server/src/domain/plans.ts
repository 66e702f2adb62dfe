import { PLAN_NAMES, type PlanName } from "@stet/contract";
import { z } from "zod";
import { PLAN_TABLE, type PlanLimits } from "#domain/plan-table";

export type { PlanLimits } from "#domain/plan-table";

/** The plans of this install: the table, with what the operator changed. */
export type Plans = Readonly<Record<PlanName, PlanLimits>>;

const limit = z.int().min(0).nullable();
const rate = z.number().positive().nullable();

/** The form of STET_PLANS: any value of any plan. An unknown name is a typing error, so it is refused. */
export const planOverrides = z
  .partialRecord(
    z.enum(PLAN_NAMES),
    z
      .strictObject({
        requestsPerMonth: limit,
        ratePerSecond: rate,
        burst: z.int().min(1).nullable(),
        websites: limit,
        storageBytes: limit,
        liveKeys: limit,
        search: z.boolean(),
        trafficPerEndpoint: z.boolean(),
        ownDatabase: z.boolean(),
        ownImageStore: z.boolean(),
        servedPercent: z.int().min(100),
      } satisfies Record<keyof PlanLimits, z.ZodType>)
      .partial(),
  )
  .refine(({ unlimited }) => ((unlimited?.ratePerSecond ?? null) === null) === ((unlimited?.burst ?? null) === null), {
    // The other plans have both numbers to begin with. Here one alone would limit nothing, without a word.
    path: ["unlimited"],
    error: "needs both ratePerSecond and burst, or neither",
  });

export function plansWith(overrides: z.infer<typeof planOverrides> = {}): Plans {
  return Object.fromEntries(PLAN_NAMES.map((name) => [name, { ...PLAN_TABLE[name], ...overrides[name] }])) as unknown as Plans;
}

export const planLimits = (name: PlanName, plans: Plans = PLAN_TABLE): PlanLimits => plans[name];

/** Whether one more would still fit. */
export const fits = (wanted: number, allowed: number | null): boolean => allowed === null || wanted <= allowed;

/** A workspace's use of everything that a plan limits. */
export interface PlanUsage {
  readonly storageBytes: number;
  readonly websites: readonly {
    readonly id: string;
    readonly name: string;
    readonly liveKeys: number;
    readonly ownDatabase: boolean;
    readonly ownImageStore: boolean;
  }[];
}

/** One thing to change before a smaller plan fits. */
export interface PlanProblem {
  readonly message: string;
  readonly facts: Readonly<Record<string, string | number>>;
}

/** The changes to make before the workspace fits the plan. Empty: it fits. */
export function downgradeProblems(usage: PlanUsage, plan: PlanLimits): readonly PlanProblem[] {
  const problems: PlanProblem[] = [];
  const count = usage.websites.length;
  if (plan.websites !== null && count > plan.websites) {
    problems.push({
      message: `The plan has room for ${counted(plan.websites, "website")} and the workspace has ${count}. Delete ${count - plan.websites} of them.`,
      facts: { limit: "websites", allowed: plan.websites, used: count },
    });
  }
  if (plan.storageBytes !== null && usage.storageBytes > plan.storageBytes) {
    problems.push({
      message: `The plan has room for ${size(plan.storageBytes)} of images and the workspace has ${size(usage.storageBytes)}. Delete images, also from the trash.`,
      facts: { limit: "storageBytes", allowed: plan.storageBytes, used: usage.storageBytes },
    });
  }
  for (const website of usage.websites) {
    const facts = { websiteId: website.id, website: website.name };
    if (plan.liveKeys !== null && website.liveKeys > plan.liveKeys) {
      problems.push({
        message: `The plan allows ${counted(plan.liveKeys, "live key")} per website and "${website.name}" has ${website.liveKeys}. Revoke ${website.liveKeys - plan.liveKeys} of them.`,
        facts: { limit: "liveKeys", ...facts, allowed: plan.liveKeys, used: website.liveKeys },
      });
    }
    if (website.ownDatabase && !plan.ownDatabase) {
      problems.push({
        message: `The plan has no own database and "${website.name}" has one. Disconnect it.`,
        facts: { limit: "ownDatabase", ...facts },
      });
    }
    if (website.ownImageStore && !plan.ownImageStore) {
      problems.push({
        message: `The plan has no own image store and "${website.name}" uses one. Disconnect it.`,
        facts: { limit: "ownImageStore", ...facts },
      });
    }
  }
  return problems;
}

const counted = (count: number, thing: string) => `${count} ${thing}${count === 1 ? "" : "s"}`;

/** Rounded up: "100 MB" against "100 MB" would explain nothing. */
function size(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, "GB"] : bytes >= 1e6 ? [1e6, "MB"] : [1e3, "kB"];
  return `${Math.ceil((bytes / unit) * 100) / 100} ${name}`;
}
