import type { UserId, WebsiteId, WorkspaceId } from "#domain/ids";

interface RecordedInstallation {
  /** The rows are in `at-<this>.sql`. Sealed and hashed under TEST_SECRET. */
  readonly lastMigration: string;
  readonly ownerId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId;
  /** What was shown once, and is kept by people and programs. */
  readonly apiKey: string;
  readonly toolToken: string | null;
  readonly webhooks: {
    /** Its secret had just been rolled: the new one, and the one before. */
    readonly active: { readonly id: string; readonly secrets: readonly string[] };
    readonly failing: { readonly id: string };
    readonly paused: { readonly id: string };
  };
}

export const INSTALLATIONS: readonly RecordedInstallation[] = [
  {
    lastMigration: "0070",
    ownerId: "user_01m7g2jca6e009q18c8n8epm4j" as UserId,
    workspaceId: "ws_01m7f6ymm0e00vwe12kqz8k9jx" as WorkspaceId,
    websiteId: "site_01m7f6ymm0e02vtwyk3v0c9z5m" as WebsiteId,
    apiKey: "stet_9VSYcVltSEsn9s0SzKVSTQrEhqw4FlyUW21HFFKZ",
    toolToken: null,
    webhooks: {
      active: {
        id: "wh_01m7f6ymm0e0at2kxwca722ypv",
        secrets: ["whsec_ouAQX9cWqpZYPiD-z0m3T0nZpYSiyorkt0WfPsylM_c", "whsec_nkR8mvkueuR8aVPrN_bhCPqn1NxG9OOzdavCR6yThkw"],
      },
      failing: { id: "wh_01m7f6ymm0e0bsc92jb9azbxjv" },
      paused: { id: "wh_01m7f6ymm0e0csya13z0fbx4f8" },
    },
  },
  {
    lastMigration: "0130",
    ownerId: "user_01m7g2jznke009ktpqpahk4tdz" as UserId,
    workspaceId: "ws_01m7f6ymm0e00rmyw8tq9pgz7d" as WorkspaceId,
    websiteId: "site_01m7f6ymm0e02svpd97958eprx" as WebsiteId,
    apiKey: "stet_8cGk9WaIkmHM3iCkEpbRxVVRFWFsaILdFa3GHysQ",
    toolToken: "stetci_aGXMxjximEGwKdmehutkPnMNn9czSQU_eWGjUyzVfF8",
    webhooks: {
      active: {
        id: "wh_01m7f6ymm0e0arg001x5esase8",
        secrets: ["whsec_emuq74HxpeEZVvVmNfAr192WFZX9UCp5tsyPa9By4_g", "whsec_yOrWU7HCYuBrPbxSkwM_gwYC48ie04g74t0TFIK0ZCY"],
      },
      failing: { id: "wh_01m7f6ymm0e0btf7jgacm5dv3g" },
      paused: { id: "wh_01m7f6ymm0e0crqxxye6d0ym1r" },
    },
  },
];
