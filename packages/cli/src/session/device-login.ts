import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "./credentials.ts";
import { shownLine } from "./shown.ts";
import { askForTokens, postForm, SCOPE } from "./token-endpoint.ts";

interface Started {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
}

/** Signs in by a code that a person enters in a browser, on this machine or on any other. */
export async function deviceLogin(options: {
  url: string;
  /** Shows the person what to do. */
  tell: (code: string, address: string) => void;
  /** Between two looks, in milliseconds. */
  pollMillis?: number;
}): Promise<Credentials> {
  const { url, tell, pollMillis = 5_000 } = options;
  const response = await postForm(url, "/oauth/device/authorize", { scope: SCOPE });
  if (!response.ok)
    throw new Error(`${url} does not support sign-in from the command line (status ${response.status}). Is it a Stet server?`);
  const started = (await response.json()) as Started;
  tell(shownLine(started.user_code), shownLine(started.verification_uri_complete));
  const form = { grant_type: "urn:ietf:params:oauth:grant-type:device_code", device_code: started.device_code };
  for (;;) {
    await sleep(pollMillis);
    const answer = await askForTokens(url, form);
    if (!("error" in answer)) return answer;
    if (answer.error === "access_denied") throw new Error("You denied access in the browser. Nothing is connected.");
    if (answer.error === "expired_token") throw new Error("The code has expired. Run stet login again for a new one.");
    if (answer.error !== "authorization_pending" && answer.error !== "slow_down") {
      throw new Error(`Signing in failed (${shownLine(answer.error)}). Run stet login again.`);
    }
  }
}
