/** Sections that any article of the sample publication can have. */
export const SHARED_SECTIONS: readonly string[] = [
  `## Letters

Several of you wrote after the last piece on this subject. A reader in Bristol points out that we contradicted ourselves between
the second paragraph and the fourth, and she is right; the fourth was older. Another asks for a shorter version. There is one now,
pinned to the wall above the sink, and it consists of the headings.

> I tried it for a month and gave up after a week. Then I noticed I was still doing it.
> — K. B., by post

Please keep writing. We read everything, and answer more than you might expect.`,
  `## Corrections

An earlier version of this article gave a figure without saying where it came from. We went back to look, could not find the source
either, and have taken the figure out. The argument does not depend on it, which is perhaps the best thing to learn about a figure.

The second correction concerns a name. We had spelled it as it sounds. It is now spelled as its owner spells it, and we apologise.`,
  `## If you have ten minutes

1. Choose the smallest thing in this article that you could try today.
2. Write down what you expect to happen.
3. Do it.
4. Write down what did happen, before you look at what you wrote first.

That is all. The fourth step is the one people leave out, and it is the one from which everything else follows. Most of what we publish
here began as somebody's fourth step, on the back of an envelope.`,
  `## Disagreement

Not everyone here agrees with all of this. In the interest of fairness, the case against:

| objection | our answer, for now |
|---|---|
| It takes too long. | It does, the first three times. |
| It only works for small teams. | Possibly. We have only ever had one. |
| Nobody will notice. | That is rather the point. |
| You said the opposite in 2024. | We did. We have linked to it. |

If you can add a row, we should like to hear from you. The table has grown every year, and so, we hope, have we.`,
  `## A short history

None of this is new. The idea appears in trade manuals from the 1920s, in a slightly more formal suit; it was rediscovered in the seventies
by people with beards, and again around 2010 by people with stickers on their laptops. Each time it was given another name, and each time
somebody wrote that it would change everything.

It did not, of course. It merely kept on working, quietly, for those who kept on doing it. We find that more encouraging than a revolution.`,
  `## What it costs

Let us be plain about the price, since articles of this kind tend to leave it out. There is the time, about an hour a week once the habit is
formed. There is some money, though less than a bad week costs. And there's a little pride, because you will be doing something slowly that
others appear to be doing fast.

- Time: an hour a week, and a quiet morning at the start.
- Money: what you would spend on a decent lunch for two.
- Pride: depends on how much you brought.

Against that stands everything above. We think it is cheap. You may think otherwise, and then it is good to know beforehand.`,
];
