import { createHash, randomBytes } from "node:crypto";

/** The path of the one resource that tokens are for, below PUBLIC_URL. */
export const MCP_PATH = "/mcp";

/** The id of a token is the token, so only this is kept of it. 256 random bits need no salt and no slow hash. */
export const recordHash = (id: string): string => createHash("sha256").update(id).digest("base64url");

/** The payload of a record is sealed for its row: in another row it does not open. */
export const sealContext = (model: string, idHash: string): string => `${model} ${idHash}`;

/** Tokens of scripts begin so: they are told apart from others before anything is looked up, and found where they leaked. */
const CI_PREFIX = "stetci_";
export const CI_MODEL = "CiToken";
export const makeCiToken = (random: (bytes: number) => Uint8Array = randomBytes): string =>
  CI_PREFIX + Buffer.from(random(32)).toString("base64url");

/** Under which name the record of a token is kept. */
export const modelOfToken = (token: string): string => (token.startsWith(CI_PREFIX) ? CI_MODEL : "AccessToken");
