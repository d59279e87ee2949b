import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Offer } from '../../../src/protocol/pages/ticket.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { OpenParts } from '../shared/opened.ts';
import type { Tools } from '../shared/parts.tsx';

/** The commands that move a ticket on. All others steer it, and are never what a person came for. */
const leading = [
  'start',
  'answer',
  'openInterview',
  'approve',
  'qa',
  'reviewChanges',
  'merge',
  'retry',
  'continue',
  'decideFailedBead',
];

interface ActionsProps {
  readonly offers: readonly Offer[];
  readonly page: Tools;
  readonly parts: OpenParts;
  /** Stands in front of them and stands out. */
  readonly children?: ComponentChildren;
}

/** The first that leads on stands out. */
export function Actions({ offers, page, parts, children }: ActionsProps) {
  const running = useRequest(page, 'run');
  // What is on hold takes no decision.
  const first =
    offers.find(({ name }) => name === 'resume') ?? offers.find(({ name }) => leading.includes(name));
  const primary = children ? undefined : first?.name;
  if (offers.length === 0 && !children) return null;
  // What leads on comes first, whatever place it has in the table of commands.
  const ordered = offers.toSorted((a, b) => Number(b.name === primary) - Number(a.name === primary));
  return (
    <>
      <div class="actions" role="group" aria-label={l10n.t('Available actions')}>
        {children}
        {ordered.map(({ name, label, detail, icon, part }) => (
          <span key={name} title={detail}>
            <Button
              secondary={name !== primary}
              disabled={running.isBusy}
              icon={icon}
              onClick={() => {
                if (part === null) void running.send({ command: name });
                else parts.show(part);
              }}
            >
              {label}
            </Button>
          </span>
        ))}
      </div>
      <Failure of={running} />
    </>
  );
}
