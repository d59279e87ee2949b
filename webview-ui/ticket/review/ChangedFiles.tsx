import * as l10n from '@vscode/l10n';
import type { ChangedFile } from '../../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../../base/elements.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { count } from '../../base/format.ts';
import { Loading } from '../shared/Loading.tsx';
import type { Tools } from '../shared/tools.ts';
import { useLoaded } from '../shared/useLoaded.ts';

const icons: Readonly<Record<ChangedFile['change'], string>> = {
  added: 'diff-added',
  modified: 'diff-modified',
  deleted: 'diff-removed',
  renamed: 'diff-renamed',
};

/** The files of the net diff: what would come into the base branch. */
export function ChangedFiles({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const showing = useRequest(page, 'showDiff');
  const { value, failure } = useLoaded(page, 'changes', {}, stamp);
  return (
    <section>
      <h2>{value ? l10n.t('Changed files: {0}', count(value.total)) : l10n.t('Changed files')}</h2>
      {value === undefined && <Loading failure={failure} />}
      {value === null && <p class="quiet">{l10n.t('Nothing to compare.')}</p>}
      {value && (
        <Button
          secondary
          icon="diff-multiple"
          onClick={() => void showing.send({ bead: null, iteration: null })}
        >
          {l10n.t('Show Diff')}
        </Button>
      )}
      <Failure failure={showing.failure} onDismiss={showing.dismiss} />
      <ul class="rows">
        {(value?.files ?? []).map(({ path, oldPath, change, binary }) => (
          <li key={path}>
            <Icon name={icons[change]} />
            <span class="grow">
              <span class="code">{oldPath === null ? path : `${oldPath} → ${path}`}</span>{' '}
              <span class="quiet">
                {changeName(change)}
                {binary && ` · ${l10n.t('binary')}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {value && value.files.length < value.total && (
        <p class="quiet">{l10n.t('And {0} more.', count(value.total - value.files.length))}</p>
      )}
    </section>
  );
}

function changeName(change: ChangedFile['change']): string {
  switch (change) {
    case 'added':
      return l10n.t('added');
    case 'modified':
      return l10n.t('modified');
    case 'deleted':
      return l10n.t('deleted');
    case 'renamed':
      return l10n.t('moved');
  }
}
