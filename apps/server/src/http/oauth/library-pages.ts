import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { type Html, html } from "../shared/html.ts";
import { pageOf } from "./page.ts";

/** What the library shows by itself, in our look: when a request cannot be answered, and the two pages of the device flow. */
function show(ctx: KoaContextWithOIDC, publicUrl: string, title: string, content: Html): void {
  const page = pageOf(publicUrl, title, content);
  ctx.set(page.headers);
  ctx.body = page.body;
}

export const renderError =
  (publicUrl: string) =>
  (ctx: KoaContextWithOIDC, out: ErrorOut): void => {
    const sentence = WORDS[out.error] ?? "The program that sent you here made a request that cannot be answered.";
    show(
      ctx,
      publicUrl,
      "Not connected",
      html`<h1>This did not work</h1>
        <p>${sentence} Nothing was connected. Go back to the program and connect again.</p>
        <p class="muted small">
          For its makers: <code>${out.error}</code>${out.error_description ? html` — ${out.error_description}` : null}
        </p>`,
    );
  };

const WORDS: Readonly<Record<string, string>> = {
  invalid_client: "The program that sent you here is not known here, or what it says about itself could not be read.",
  invalid_client_metadata: "What the program that sent you here says about itself cannot be used.",
  invalid_redirect_uri: "The program wants to be answered at an address that it did not register.",
  server_error: "Something went wrong on our side.",
};

/** Errors of the code form, as the library names them. */
interface CodeError {
  readonly name: string;
  readonly userCode?: string;
}

export const deviceFlowPages = (publicUrl: string) => ({
  async userCodeInputSource(ctx: KoaContextWithOIDC, _form: string, _out?: ErrorOut, error?: CodeError | Error): Promise<void> {
    const code = (error && "userCode" in error ? error.userCode : undefined) ?? codeIn(ctx.query["code"]);
    const secret = (ctx.oidc.session as { state?: { secret?: string } } | undefined)?.state?.secret ?? "";
    show(
      ctx,
      publicUrl,
      "Connect a command line",
      html`<h1>Connect a command line</h1>
        <p>
          Enter the code that <code>stet login</code> shows. Whoever gave you a code otherwise wants to act in your name: close this page.
        </p>
        ${error ? html`<p class="note" role="alert">${explain(error)}</p>` : null}
        <form method="post" action="/oauth/device">
          <input type="hidden" name="xsrf" value="${secret}" />
          <input type="hidden" name="confirm" value="yes" />
          <label class="field">
            Code
            <input
              type="text"
              name="user_code"
              value="${code}"
              required
              maxlength="16"
              autocomplete="off"
              autocapitalize="characters"
              spellcheck="false"
              autofocus
            />
          </label>
          <div class="actions"><button class="primary" type="submit">Continue</button></div>
        </form>`,
    );
  },

  // The form above always confirms: the consent page shows the code again, with everything else there is to decide.
  async userCodeConfirmSource(ctx: KoaContextWithOIDC): Promise<void> {
    ctx.redirect("/oauth/device");
  },

  async successSource(ctx: KoaContextWithOIDC): Promise<void> {
    show(
      ctx,
      publicUrl,
      "Connected",
      html`<h1>Connected</h1>
        <p>The command line is signed in. You can close this page and go back to it.</p>
        <p class="muted small">It can be disconnected at any time under Settings, Connected apps.</p>`,
    );
  },
});

const codeIn = (value: unknown): string => (typeof value === "string" ? value.replaceAll(/[^0-9A-Za-z-]/g, "").slice(0, 16) : "");

function explain({ name }: CodeError | Error): string {
  if (name === "ExpiredError") return "This code has expired. Run stet login again for a new one.";
  if (name === "AlreadyUsedError") return "This code was used already. Run stet login again for a new one.";
  if (name === "AbortedError") return "Nothing was connected.";
  if (name === "NoCodeError" || name === "NotFoundError") return "There is no such code. Check it against what stet login shows.";
  return "That did not work. Enter the code again.";
}
