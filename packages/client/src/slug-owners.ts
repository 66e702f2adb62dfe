/**
 * Which post of a sync had a slug last. A slug changes hands when a post is renamed or removed and another one takes it: only its last owner
 * may give it up, else the page of the new one would be removed.
 */
export class SlugOwners {
  readonly #owners = new Map<string, string>();
  /** The calls that were told to remove pages, by slug. */
  readonly #leaving = new Map<string, Promise<unknown>>();

  has(postId: string, slug: string): void {
    this.#owners.set(slug, postId);
  }

  /** Waits until a call that removes what was there has ended: the slug may have been taken while it ran. */
  async enter(postId: string, slug: string): Promise<void> {
    this.has(postId, slug);
    await this.#leaving.get(slug);
  }

  /** Calls with those slugs that nobody else has taken. */
  async leave(postId: string, slugs: readonly string[], call: (slugs: readonly string[]) => unknown): Promise<void> {
    const own = slugs.filter((slug) => this.#owners.get(slug) === postId);
    const leaving = (async () => call(own))();
    for (const slug of own) this.#leaving.set(slug, leaving);
    await leaving;
  }
}
