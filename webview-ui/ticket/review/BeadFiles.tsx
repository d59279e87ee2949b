import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { joined } from '../../../src/base/joined.ts';
import { passed } from '../../../src/domain/core/evidence.ts';
import type { BeadFiles as Files } from '../../../src/protocol/pages/ticket.ts';
import { Checkbox, Icon, IconButton } from '../../base/elements.tsx';
import { count, duration } from '../../base/format.ts';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import { Loading, type Tools, useLoaded } from '../shared/parts.tsx';

interface BeadFilesProps {
  readonly bead: string;
  readonly stamp: string;
  readonly page: Tools;
}

/** Read once a person unfolds them. */
export function BeadFiles(props: BeadFilesProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{l10n.t('Files')}</summary>
      {isOpen && <List {...props} />}
    </details>
  );
}

function List({ bead, stamp, page }: BeadFilesProps) {
  const [marked, setMarked] = useState(0);
  const marking = useRequest(page, 'viewed');
  const showing = useRequest(page, 'open');
  const { value, failure } = useLoaded(page, 'beadFiles', { bead }, `${stamp} ${String(marked)}`);
  if (!value) return <Loading failure={failure} />;
  const { files, total } = value;
  const mark = async ({ path, blob }: Files['files'][number], viewed: boolean): Promise<void> => {
    await marking.send({ bead, path, viewed, ...(blob === undefined ? {} : { blob }) });
    setMarked((times) => times + 1);
  };
  return (
    <>
      <p class="quiet">
        {l10n.t('{0} of {1} viewed', files.filter(({ viewed }) => viewed).length, count(total))}
      </p>
      <ul class="rows" aria-label={l10n.t('Viewed files of {0}', bead)}>
        {files.map((file) => (
          <li key={file.path}>
            <div class="grow">
              <Checkbox
                label={file.path}
                checked={file.viewed}
                onChange={(viewed) => void mark(file, viewed)}
              />
              <span class="quiet">{factsText(file)}</span>
              <Proof commands={file.commands} />
            </div>
            <IconButton
              icon="diff"
              label={l10n.t('Show changes in {0}', file.path)}
              onClick={() => void showing.send({ command: 'showFileDiff', bead, file: file.path })}
            />
          </li>
        ))}
      </ul>
      {files.length < total && <p class="quiet">{l10n.t('And {0} more.', count(total - files.length))}</p>}
      <Failure of={marking} />
      <Failure of={showing} />
    </>
  );
}

function factsText({ binary, added = 0, deleted = 0, comments }: Files['files'][number]): string {
  return joined([
    binary ? l10n.t('binary') : `+${String(added)} −${String(deleted)}`,
    comments === 0 ? '' : comments === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', comments),
  ]);
}

/** The commands that ran on a file. */
function Proof({ commands }: Pick<Files['files'][number], 'commands'>) {
  const failed = commands.filter((command) => !passed(command)).length;
  if (commands.length === 0) return <div class="quiet">{l10n.t('No command ran on it.')}</div>;
  return (
    <details>
      <summary class={failed > 0 ? 'problem' : 'quiet'}>
        {failed > 0
          ? l10n.t('{0} of {1} commands failed', failed, commands.length)
          : l10n.t('Commands that passed: {0}', commands.length)}
      </summary>
      <ul>
        {commands.map((ran, index) => (
          <li key={index} class="wrap">
            <Icon name={passed(ran) ? 'pass' : 'error'} /> <span class="code">{ran.command}</span>{' '}
            <span class="quiet">{duration(ran.durationMs)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
