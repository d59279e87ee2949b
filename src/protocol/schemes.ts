/** Tickets' documents: `beadsmith://<repository>/<ticket>/<file>?version=<n>`. */
export const documentScheme = 'beadsmith';

/** A side of a diff: `beadsmith-blob://<repository>/<ticket>/<path>?{…}`. */
export const blobScheme = 'beadsmith-blob';

/** Several files of a diff in one editor: `beadsmith-diff://<repository>/<ticket>?{…}`. */
export const diffScheme = 'beadsmith-diff';

/** The setup report and the issue report. */
export const supportScheme = 'beadsmith-support';

/** A prompt: `beadsmith-prompt://<repository>/<ticket>/<prompt>.md?{…}`. */
export const promptScheme = 'beadsmith-prompt';

/** A new ticket or a draft as text: `beadsmith-draft://<repository>/<ticket>/<file>`. */
export const draftScheme = 'beadsmith-draft';

/** A URI scheme of ours. */
export type Scheme =
  typeof documentScheme | typeof blobScheme | typeof promptScheme | typeof supportScheme | typeof draftScheme;
