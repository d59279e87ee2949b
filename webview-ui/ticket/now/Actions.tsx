import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Offer } from '../../../src/protocol/pages/ticket.ts';
import { Button } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { OpenParts } from '../shared/opened.ts';
import type { Tools } from '../shared/parts.tsx';
import { headActions } from './headActions.ts';

interface ActionsProps {
  readonly offers: readonly Offer[];
  readonly page: Tools;
  readonly parts: OpenParts;
  /** Stands in front of them and stands out. */
  readonly children?: ComponentChildren;
}

/** The first that leads on stands out, two more may stand beside it, and the rest is in a list. */
export function Actions({ offers, page, parts, children }: ActionsProps) {
  const running = useRequest(page, 'run');
  if (offers.length === 0 && !children) return null;
  const { primary, besides, hasMore } = headActions(offers, Boolean(children));
  const button = ({ name, label, detail, icon, part }: Offer, secondary: boolean) => (
    <span key={name} title={detail}>
      <Button
        secondary={secondary}
        leads={part !== null}
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
  );
  return (
    <>
      <div class="actions" role="group" aria-label={l10n.t('Available actions')}>
        {children}
        {primary && button(primary, false)}
        {besides.map((offer) => button(offer, true))}
        {hasMore && (
          <Button
            secondary
            icon="ellipsis"
            disabled={running.isBusy}
            onClick={() => void running.send({ command: 'whatNext' })}
          >
            {l10n.t('More Actions…')}
          </Button>
        )}
      </div>
      <Failure of={running} />
    </>
  );
}
