import type { Role } from "@stet/contract";
import { quotedName } from "#domain/client-name";
import type { WorkspaceId } from "#domain/ids";
import { type Html, html } from "../shared/html.ts";
import { toolRights } from "./permission-words.ts";
import type { Destination } from "./redirects.ts";

/** Everything a person should know before they answer. */
export interface Question {
  readonly client: {
    /** The name that it gave itself: it is shown in quotation marks and never instead of the host. */
    readonly name: string;
    /** Where its metadata document lies. Null: it registered itself, and no host answers for it. */
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
  return html`<h1>Connect ${appWords(question)} to Stet?</h1>
    <p class="muted">
      ${client.isOurs ? null : html`It calls itself <bdi>${quotedName(client.name)}</bdi>. `}It will act for you, with your role and the
      access you choose here.
    </p>
    ${problem ? html`<p class="note" role="alert">${problem}</p>` : null}
    <dl>
      <div>
        <dt>App</dt>
        <dd>${whose(question)}</dd>
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

/** The app in the words of what is known of it: the host that describes it, or else the place that the access goes to. */
export function appWords({ client, destination }: Pick<Question, "client" | "destination">): string {
  if (client.isOurs) return client.name;
  if (client.host !== null) return client.host;
  return destination?.kind === "web" ? destination.name : "an app on this computer";
}

function whose({ client }: Question): Html {
  if (client.isOurs) return html`${client.name} <span class="tag ok">part of Stet</span>`;
  if (client.host !== null) return html`${client.host}`;
  return html`<bdi>${quotedName(client.name)}</bdi> <span class="tag warn">registered itself</span>`;
}

function destinationWords({ kind, name }: Destination): Html {
  if (kind === "this machine") return html`a program on this computer <span class="muted">(${name})</span>`;
  if (kind === "app") return html`an app on this computer <span class="muted">(${name})</span>`;
  return html`${name}`;
}

function warnings(question: Question): Html {
  const { client, destination, userCode } = question;
  if (userCode !== null) {
    return html`<p class="note">Continue only if you ran <code>stet login</code> yourself and your terminal shows this code:</p>
      <p class="code">${userCode}</p>`;
  }
  if (client.isOurs || !destination) return html``;
  const { host } = client;
  const isHere = destination.kind !== "web";
  const isElsewhere = host !== null && !isHere && destination.name !== host;
  const reasons = [
    host === null && "No website vouches for this app: it registered itself, and its name can be anything.",
    host === null && !isHere && `Access goes to ${destination.name}.`,
    isElsewhere && `${host} describes this app, but access goes to another website: ${destination.name}.`,
    isElsewhere && `The owner of ${destination.name} can then act for you.`,
    isHere && "Access goes to an app on this computer, whichever receives the answer.",
  ].filter((reason) => reason !== false);
  const hosts = new Set([...(host === null ? [] : [host]), ...(isHere ? [] : [destination.name])]);
  return html`<p class="${reasons.length > 0 ? "note" : "muted"}">
    ${reasons.map((reason) => `${reason} `).join("")}Continue only if
    ${hosts.size === 0 ? "" : `you know ${[...hosts].join(" and ")}, and `}you just started this
    yourself${isHere ? " on this computer" : ""}.
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
