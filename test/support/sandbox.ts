import { findSandbox } from '../../src/adapters/sandbox/findSandbox.ts';

/** Asked before the tests of a file are listed; why not is printed. */
export async function canTrySandbox(): Promise<boolean> {
  const { kind, gap } = await findSandbox('auto', { commonDir: '/' });
  if (kind !== 'bubblewrap') {
    // The reporter says it beside the counts.
    const lacking = (process.env['BEADSMITH_NOT_RUN'] =
      `need bubblewrap, which is ${gap ?? 'another one'} here`);
    console.log(`    Not run: these ${lacking}.`);
  }
  return kind === 'bubblewrap';
}
