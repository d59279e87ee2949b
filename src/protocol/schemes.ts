/**
 * The scheme under which documents of tickets are opened:
 * `beadsmith://<repository>/<ticket>/<file>?version=<n>`.
 */
export const documentScheme = 'beadsmith';

/**
 * The scheme of one side of a diff: `beadsmith-blob://<repository>/<ticket>/<path>?{…}`. What it names never
 * changes.
 */
export const blobScheme = 'beadsmith-blob';

/** The scheme of the setup report and the issue report. */
export const supportScheme = 'beadsmith-support';

/**
 * The scheme of the text of a prompt: `beadsmith-prompt://<repository>/<ticket>/<prompt>.md?{…}`. What it
 * names never changes.
 */
export const promptScheme = 'beadsmith-prompt';

/** A URI scheme of ours. */
export type Scheme = typeof documentScheme | typeof blobScheme | typeof promptScheme | typeof supportScheme;
