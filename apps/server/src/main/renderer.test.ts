import { afterAll, expect, test } from "vitest";
import { renderMarkdown } from "#domain/markdown/render";
import { createRenderer } from "./renderer.ts";

const renderer = createRenderer();
afterAll(() => renderer.close());

test("a large body is rendered away from the thread that answers, with the same result", async () => {
  const large = "A paragraph of *some* length.\n\n".repeat(3_000);
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const [one, two] = await Promise.all([renderer.render(large), renderer.render(`# Other\n\n${large}`)]);
  clearInterval(timer);
  expect(one).toEqual(renderMarkdown(large));
  expect(two.headings).toEqual([{ id: "h-other", depth: 1, text: "Other" }]);
  // The event loop turned while it worked.
  expect(ticks).toBeGreaterThan(5);
});

test("a small body is rendered at once", async () => {
  expect((await renderer.render("*small*")).html).toBe("<p><em>small</em></p>\n");
});
