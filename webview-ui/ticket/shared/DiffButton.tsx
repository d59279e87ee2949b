import * as l10n from '@vscode/l10n';
import { IconButton } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from './tools.ts';

interface DiffButtonProps {
  readonly bead: string;
  /** Null: what the bead came to. */
  readonly iteration: number | null;
  readonly page: Tools;
}

/** Opens what a bead, or one iteration of it, changed. */
export function DiffButton({ bead, iteration, page }: DiffButtonProps) {
  const { send, failure, dismiss } = useRequest(page, 'showDiff');
  const label =
    iteration === null
      ? l10n.t('Show changes of {0}', bead)
      : l10n.t('Show changes of {0}, iteration {1}', bead, iteration);
  return (
    <>
      <IconButton icon="diff" label={label} onClick={() => void send({ bead, iteration })} />
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
