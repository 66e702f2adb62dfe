/** Where readers find a post. `publicUrl` is the public address of its website. */
export const postAddress = (publicUrl: string, slug: string): string => `${publicUrl}/${slug}`;
