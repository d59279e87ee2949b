import * as l10n from '@vscode/l10n';
import { joined } from '../../../src/base/joined.ts';
import {
  contextModeLabels,
  contextStateLabels,
  isEditable,
} from '../../../src/domain/prompts/contextEntries.ts';
import { filed } from '../../../src/protocol/pages/frame.ts';
import type { ContextRow } from '../../../src/protocol/pages/reviews.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { Failure, Filed, useRequest } from '../../base/useRequest.tsx';
import { RunButton, type Tools } from '../shared/parts.tsx';

interface ContextProps {
  /** Newest first. */
  readonly entries: readonly ContextRow[];
  /** A person can change entries at all. */
  readonly canSteer: boolean;
  readonly page: Tools;
}

export function Context({ entries, canSteer, page }: ContextProps) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby="context">
      <Heading id="context">{l10n.t('Context')}</Heading>
      <ul class="rows">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} canWithdraw={canSteer && isEditable(entry)} page={page} />
        ))}
      </ul>
      {canSteer && entries.some(isEditable) && (
        <div class="actions">
          <RunButton command="editContext" icon="edit" page={page}>
            {l10n.t('Edit Context…')}
          </RunButton>
        </div>
      )}
    </section>
  );
}

const contextIcons: Readonly<Record<ContextRow['state'], string>> = {
  queued: 'inbox',
  delivered: 'comment',
  acknowledged: 'pass',
  consumed: 'check',
  withdrawn: 'circle-slash',
};

/** Its state, and how long it applies. */
export function stateOf({ state, mode }: ContextRow): string {
  return joined([l10n.t(contextStateLabels[state]), l10n.t(contextModeLabels[mode])]);
}

/** The iterations that got it. */
export function placesOf({ deliveredIn }: ContextRow): string {
  return joined(deliveredIn.map(({ bead, iteration }) => l10n.t('{0}, iteration {1}', bead, iteration)));
}

function Entry({
  entry,
  canWithdraw,
  page,
}: {
  readonly entry: ContextRow;
  readonly canWithdraw: boolean;
  readonly page: Tools;
}) {
  const withdrawing = useRequest(page, 'act');
  const { id, text, author, state, at } = entry;
  const by = author === 'user' ? l10n.t('You') : author;
  return (
    <li>
      <Icon name={contextIcons[state]} />
      <div class="grow">
        <div class="row">
          <div class="grow">
            <div class="plain">{text}</div>
            <div class="quiet">{joined([stateOf(entry), by, when(at), placesOf(entry)])}</div>
          </div>
          {canWithdraw && (
            <Button
              secondary
              icon="discard"
              label={l10n.t('Withdraw: {0}', text.slice(0, 80))}
              disabled={withdrawing.isBusy || withdrawing.isFiled}
              onClick={() =>
                void withdrawing.tell(filed('withdraw_context', { entry: id }), l10n.t('Withdrawn.'))
              }
            >
              {l10n.t('Withdraw')}
            </Button>
          )}
        </div>
        <Filed isShown={withdrawing.isFiled} />
        <Failure of={withdrawing} />
      </div>
    </li>
  );
}
