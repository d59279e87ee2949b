import type { ChangedFile } from '../../src/protocol/pages/ticket.ts';
import { Button, Icon } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { Failure, useRequest } from '../base/useRequest.tsx';
import { count } from '../base/format.ts';
import { Loading } from './Loading.tsx';
import type { Tools } from './tools.ts';
import { useLoaded } from './useLoaded.ts';

const icons: Readonly<Record<ChangedFile['change'], string>> = {
  added: 'diff-added',
  modified: 'diff-modified',
  deleted: 'diff-removed',
  renamed: 'diff-renamed',
};

/** The files of the net diff: what would come into the base branch. */
export function ChangedFiles({ page, stamp }: { readonly page: Tools; readonly stamp: string }) {
  const { texts } = page;
  const showing = useRequest(page, 'showDiff');
  const { value, failure } = useLoaded(page, 'changes', {}, stamp);
  return (
    <section>
      <h2>{value ? fill(texts.changes, count(value.total)) : texts.changesTitle}</h2>
      {value === undefined && <Loading failure={failure} />}
      {value === null && <p class="quiet">{texts.noChanges}</p>}
      {value && (
        <Button secondary icon="diff-multiple" onClick={() => void showing.send({ bead: null, iteration: null })}>
          {texts.showDiff}
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
                {texts[change]}
                {binary && ` · ${texts.binary}`}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {value && value.files.length < value.total && <p class="quiet">{fill(texts.moreFiles, count(value.total - value.files.length))}</p>}
    </section>
  );
}
