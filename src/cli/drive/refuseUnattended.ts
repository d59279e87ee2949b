import { BeadsmithError } from '../../domain/core/errors.ts';
import { noSandbox, type SandboxGap } from '../../domain/environment/sandbox.ts';
import type { CommandContext } from '../base/command.ts';
import { isUnattended } from '../options/appOptions.ts';
import type { Args } from '../base/args.ts';
import { coversAll, parseGates } from './gatePolicy.ts';

/**
 * Without a box nothing but people stands between what an agent wrote and the person's files, so nobody may
 * be left out (docs/decisions/105-the-box.md). Throws SANDBOX_NEEDED, unless the person accepts that.
 * `merges`: the command itself is a merge.
 */
export function refuseUnattended(
  context: Pick<CommandContext, 'env'>,
  args: Args,
  { gap, merges }: { readonly gap: SandboxGap | undefined; readonly merges: boolean },
): void {
  if (gap === undefined || isUnattended(context, args)) return;
  const what = coversAll(parseGates(args.text('approve') ?? 'none'))
    ? '--approve all'
    : args.text('end') === 'merge'
      ? '--end merge'
      : merges
        ? 'Merging from the command line'
        : undefined;
  if (what === undefined) return;
  throw new BeadsmithError('SANDBOX_NEEDED', { what, reason: noSandbox(gap).message });
}
