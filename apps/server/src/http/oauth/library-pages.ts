import type { ErrorOut, KoaContextWithOIDC } from "oidc-provider";
import { type Html, html } from "../shared/html.ts";
import { htmlPage } from "./html-page.ts";

/** The pages that the library shows by itself, in our look: the error page, and the two pages of the device flow. */
function show(ctx: KoaContextWithOIDC, publicUrl: string, title: string, content: Html): void {
  const page = htmlPage(publicUrl, title, content);
  ctx.set(page.headers);
  ctx.body = page.body;
}

export const renderError =
  (publicUrl: string) =>
  (ctx: KoaContextWithOIDC, out: ErrorOut): void => {
    const sentence = WORDS[out.error] ?? "The app that sent you here made an invalid request.";
    show(
      ctx,
      publicUrl,
      "Not connected",
      html`<h1>Could not connect</h1>
        <p>${sentence} Nothing was connected. Go back to the app and try again.</p>
        <p class="muted small">
          For its developers: <code>${out.error}</code>${out.error_description ? html` — ${out.error_description}` : null}
        </p>`,
    );
  };

const WORDS: Readonly<Record<string, string>> = {
  invalid_client: "The app that sent you here is not registered, or its description could not be loaded.",
  invalid_client_metadata: "The description of the app that sent you here is invalid.",
  invalid_redirect_uri: "The app wants to return to an address it did not register.",
  login_required: "The app that sent you here wanted to connect without asking you.",
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
        <p>Enter the code that <code>stet login</code> shows. If someone else gave you a code, close this page: they want to act as you.</p>
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
        <p>The command line is signed in. You can close this page.</p>
        <p class="muted small">You can disconnect it at any time under Settings, Connected apps.</p>`,
    );
  },
});

const codeIn = (value: unknown): string => (typeof value === "string" ? value.replaceAll(/[^0-9A-Za-z-]/g, "").slice(0, 16) : "");

function explain({ name }: CodeError | Error): string {
  if (name === "ExpiredError") return "This code has expired. Run stet login again for a new one.";
  if (name === "AlreadyUsedError") return "This code was already used. Run stet login again for a new one.";
  if (name === "AbortedError") return "Nothing was connected.";
  if (name === "NoCodeError" || name === "NotFoundError") return "Wrong code. Compare it with the one stet login shows.";
  return "Something went wrong. Enter the code again.";
}
