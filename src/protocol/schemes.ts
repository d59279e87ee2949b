/** The scheme of tickets' documents: `beadsmith://<repository>/<ticket>/<file>?version=<n>`. */
export const documentScheme = 'beadsmith';

/** One side of a diff, which never changes: `beadsmith-blob://<repository>/<ticket>/<path>?{…}`. */
export const blobScheme = 'beadsmith-blob';

/** The scheme of the setup report and the issue report. */
export const supportScheme = 'beadsmith-support';

/** A prompt, which never changes: `beadsmith-prompt://<repository>/<ticket>/<prompt>.md?{…}`. */
export const promptScheme = 'beadsmith-prompt';

/** A URI scheme of ours. */
export type Scheme = typeof documentScheme | typeof blobScheme | typeof promptScheme | typeof supportScheme;
