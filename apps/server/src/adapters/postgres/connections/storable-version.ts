const LARGEST = 2 ** 31 - 1;

/**
 * A version as the tables about tools can hold it. Posts in MongoDB may stand beyond it, since imports once took any version: they can
 * be changed all the same, and undo finds that it does not know every step.
 */
export const storableVersion = (version: number): number => Math.min(version, LARGEST);
