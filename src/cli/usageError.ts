/** The command line can't be understood: exit 2, with the command's usage. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
