/** The scheme under which documents of tickets are opened: `beadsmith://<repository>/<ticket>/<file>?version=<n>`. */
export const documentScheme = 'beadsmith';

/** The scheme of one side of a diff: `beadsmith-blob://<repository>/<ticket>/<path>?{…}`. What it names never changes. */
export const blobScheme = 'beadsmith-blob';

/** The scheme of the setup report and the issue report. */
export const supportScheme = 'beadsmith-support';

/** A URI scheme of ours. */
export type Scheme = typeof documentScheme | typeof blobScheme | typeof supportScheme;
