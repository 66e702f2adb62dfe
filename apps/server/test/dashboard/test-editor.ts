import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import type { PostId } from "#domain/ids";
import type { DashboardNode, Person } from "#test/dashboard-node";
import type { BrowserOptions, TestBrowser } from "#test/test-browser";
import { makeKey } from "#test/delivery-node";
import type { Tenant } from "#test/services";
import { withDashboard } from "#test/with-dashboard";

/** A website with its owner at the post page, and the means to write there. */
export interface TestEditor {
  readonly node: DashboardNode;
  readonly tenant: Tenant;
  readonly cookie: string;
  readonly browser: TestBrowser;
  /** A draft of the owner, or of whoever has this cookie. */
  draft(content: { title?: string; body?: string; slug?: string; excerpt?: string }, as?: string): Promise<PostId>;
  /** The page of a post: in the owner's window, or in one of its own when anything is special about it. */
  open(postId: string, options?: BrowserOptions & { as?: string; alone?: true }): Promise<{ page: Page; context: BrowserContext }>;
  read(postId: PostId): Promise<Awaited<ReturnType<typeof readPost>>>;
  signIn(person: Person): Promise<string>;
  /** What readers get, with a key. */
  deliver(slug: string): Promise<{
    status: number;
    post: { slug: string; title: string; slugRedirectedFrom?: string; body: { markdown: string; html: string } };
  }>;
}

const readPost = (node: DashboardNode, cookie: string, ids: { websiteId: Tenant["website"]["id"]; postId: PostId }) =>
  node.rpc(cookie, "get_post", ids);

/** The tests of one file at the post page of a website. */
export const withEditor = (tests: (testEditor: TestEditor) => void): Promise<void> =>
  withDashboard({}, async (node, browser) => tests(await handsOf(node, browser)));

async function handsOf(node: DashboardNode, browser: TestBrowser): Promise<TestEditor> {
  const tenant = await node.makeTenant();
  const cookie = await node.signIn(tenant.owner);
  const key = await makeKey(node.services, tenant);
  const websiteId = tenant.website.id;
  // Shared, so that the dashboard is loaded and compiled once.
  const owners = await browser.borrow(cookie);
  afterAll(() => browser.giveBack(owners));
  return {
    node,
    tenant,
    cookie,
    browser,
    draft: async (content, as = cookie) => (await node.rpc(as, "create_post", { websiteId, ...content })).id,
    async open(postId, options) {
      const context = options ? await browser.open(options.as ?? cookie, options) : owners;
      // Below the test's own time, so that a failure names the step.
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      await openPost(page, websiteId, postId);
      return { page, context };
    },
    read: (postId) => readPost(node, cookie, { websiteId, postId }),
    signIn: (person) => node.signIn(person),
    async deliver(slug) {
      const response = await fetch(`${node.url}/v1/blog/posts/${slug}`, { headers: { Authorization: `Bearer ${key}` } });
      const { data } = (await response.json()) as { data: Awaited<ReturnType<TestEditor["deliver"]>>["post"] };
      return { status: response.status, post: data };
    },
  };
}

export async function openPost(page: Page, websiteId: string, postId: string): Promise<void> {
  await page.goto(`/s/${websiteId}/posts/${postId}`);
  await bodyOf(page).waitFor();
}

/** As blocks, or as Markdown where it is mostly what blocks cannot show. */
export const bodyOf = (page: Page) => page.getByRole("textbox", { name: /^Body of the post/ });
export const titleOf = (page: Page) => page.getByRole("textbox", { name: "Title", exact: true });

/** Types at the end of the text. */
export async function write(page: Page, text: string): Promise<void> {
  await bodyOf(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

/** Asks until the answer is as expected: a save comes a second after the last key. */
export const eventually = <T>(read: () => T) => expect.poll(read, { interval: 100 });

/** The line that says whether the text has reached the server. */
export const saveLine = (page: Page) => page.getByRole("banner").getByRole("status");
export const waitUntilSaved = (page: Page): Promise<void> => eventually(() => saveLine(page).textContent()).toBe("Saved");

/** Chooses from the menu beside Publish. */
export async function chooseAction(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Post actions" }).click();
  await page.getByRole("menuitem", { name }).click();
}
