import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Offer } from '../../../src/protocol/pages/ticket.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/tools.ts';

/** The commands that move a ticket on. All others steer it, and are never what a person came for. */
const leading = [
  'start',
  'answer',
  'openInterview',
  'approve',
  'qa',
  'merge',
  'retry',
  'continue',
  'resume',
  'decideFailedBead',
];

interface ActionsProps {
  readonly offers: readonly Offer[];
  readonly page: Tools;
  /** The content in front of them, which stands out; null where there is none. */
  readonly children?: ComponentChildren;
}

/**
 * The commands that make sense now, as buttons. The first that leads on stands out. Each asks for what it
 * needs by itself.
 */
export function Actions({ offers, page, children }: ActionsProps) {
  const { send, failure, dismiss, isBusy } = useRequest(page, 'run');
  const primary = children ? undefined : offers.find(({ name }) => leading.includes(name))?.name;
  if (offers.length === 0 && !children) return null;
  // What leads on comes first, whatever place it has in the table of commands.
  const ordered = offers.toSorted((a, b) => Number(b.name === primary) - Number(a.name === primary));
  return (
    <>
      <div class="actions" role="group" aria-label={l10n.t('Available actions')}>
        {children}
        {ordered.map(({ name, label, detail, icon }) => (
          <span key={name} title={detail}>
            <Button
              secondary={name !== primary}
              disabled={isBusy}
              icon={icon}
              onClick={() => void send({ command: name })}
            >
              {label}
            </Button>
          </span>
        ))}
      </div>
      <Failure failure={failure} onDismiss={dismiss} />
    </>
  );
}
