import type { Role } from "@stet/contract";
import type { WorkspaceId } from "#domain/ids";
import { type Html, html } from "../shared/html.ts";
import { toolRights } from "./permission-words.ts";
import type { Destination } from "./redirects.ts";

/** Everything a person should know before they answer. */
export interface Question {
  readonly client: {
    readonly name: string;
    /** Where its metadata document lies: then its name is that host's word. Null: anybody may have registered under this name. */
    readonly host: string | null;
    /** Our own command line. */
    readonly isOurs: boolean;
  };
  /** Null: nobody is sent anywhere, the program asks for its answer (device flow). */
  readonly destination: Destination | null;
  readonly userCode: string | null;
  readonly account: { readonly name: string; readonly email: string };
  readonly workspaces: readonly { readonly id: WorkspaceId; readonly name: string; readonly role: Role }[];
  readonly formToken: string;
  /** The fault of the form that was just sent. */
  readonly problem: string | null;
}

export function consentPage(question: Question): Html {
  const { client, account, workspaces, problem } = question;
  return html`<h1>Connect ${client.name} to Stet?</h1>
    <p class="muted">It will act for you, with your role and the access you choose here.</p>
    ${problem ? html`<p class="note" role="alert">${problem}</p>` : null}
    <dl>
      <div>
        <dt>App</dt>
        <dd>${client.name} ${whose(question)}</dd>
      </div>
      ${
        question.destination
          ? html`<div>
              <dt>Returns to</dt>
              <dd>${destinationWords(question.destination)}</dd>
            </div>`
          : null
      }
      <div>
        <dt>Your account</dt>
        <dd>
          ${account.name}<br />
          <span class="muted">${account.email}</span>
        </dd>
      </div>
    </dl>
    ${warnings(question)}
    <form method="post">
      <input type="hidden" name="token" value="${question.formToken}" />
      <fieldset>
        <legend>Workspaces</legend>
        ${workspaces.map((workspace, index) => choice(workspace.id, workspace.name, `Your role: ${workspace.role}`, index === 0))}
        ${choice("all", "All my workspaces", "Including those you join later", workspaces.length === 0)}
      </fieldset>
      <fieldset>
        <label class="choice">
          <input type="checkbox" name="allowDelete" value="yes" />
          <span>Allow deleting<small>${deleting()}. You can change this later.</small></span>
        </label>
      </fieldset>
      ${rights()}
      <div class="actions">
        <button type="submit" name="answer" value="deny">Deny</button>
        <button class="primary" type="submit" name="answer" value="allow">Allow</button>
      </div>
    </form>
    <p class="muted small">You can reduce its access or disconnect it at any time under Settings, Connected apps.</p>`;
}

const choice = (value: string, name: string, about: string, isChosen: boolean): Html =>
  html`<label class="choice">
    ${
      isChosen
        ? html`<input type="radio" name="workspaces" value="${value}" required checked />`
        : html`<input type="radio" name="workspaces" value="${value}" required />`
    }
    <span>${name}<small>${about}</small></span>
  </label>`;

function whose({ client }: Question): Html {
  if (client.isOurs) return html`<span class="tag ok">part of Stet</span>`;
  if (client.host !== null) return html`<span class="tag ok">verified: ${client.host}</span>`;
  return html`<span class="tag warn">unverified</span>`;
}

function destinationWords({ kind, name }: Destination): Html {
  if (kind === "this machine") return html`a program on this computer <span class="muted">(${name})</span>`;
  if (kind === "app") return html`an app on this computer <span class="muted">(${name})</span>`;
  return html`${name}`;
}

function warnings({ client, destination, userCode }: Question): Html {
  const isNobodys = !client.isOurs && client.host === null;
  const isHere = destination !== null && destination.kind !== "web";
  const reasons = [
    isNobodys && "Anyone can register an app under any name.",
    isHere && "The connection returns to this computer: the program that receives it gets access.",
  ].filter((reason) => reason !== false);
  if (userCode !== null) {
    return html`<p class="note">Continue only if you ran <code>stet login</code> yourself and your terminal shows this code:</p>
      <p class="code">${userCode}</p>`;
  }
  if (reasons.length === 0) return html``;
  return html`<p class="note">
    ${reasons.join(" ")} Continue only if you just started this yourself${isHere ? " on this computer" : ""}.
  </p>`;
}

const deleting = (): string => {
  const [first = "", ...rest] = toolRights()["with delete"];
  return [first, ...rest.map((words) => words[0]!.toLowerCase() + words.slice(1))].join("; ");
};

function rights(): Html {
  const { yes, never } = toolRights();
  const list = (kind: string, words: readonly string[]) =>
    html`<ul class="${kind}">
      ${words.map((each) => html`<li>${each}</li>`)}
    </ul>`;
  return html`<div class="rights">
    <div>
      <h2>It can</h2>
      ${list("may", yes)}
    </div>
    <div>
      <h2>It can never</h2>
      ${list("never", never)}
    </div>
  </div>`;
}
