import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import { Button } from '../base/elements.tsx';
import { when } from '../base/format.ts';
import type { PageTools } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import type { approvalPage, ShownDocument } from '../../src/protocol/pages/approval.ts';

type Mode = 'read' | 'edit';

interface Props {
  readonly page: PageTools<typeof approvalPage>;
  readonly document: ShownDocument;
  readonly mode: Mode;
  readonly canEdit: boolean;
  readonly onMode: (mode: Mode) => void;
}

/** Reading or editing, the text beside it, and what it looked like before. */
export function DocumentTools({ page, document, mode, canEdit, onMode }: Props) {
  const { artifact, earlier } = document;
  const [version, setVersion] = useState<number>();
  const show = useRequest(page, 'showDocument');
  const diff = useRequest(page, 'showDiff');
  const [newest] = earlier;
  const compared = earlier.find((one) => one.version === version) ?? newest;
  return (
    <div class="document-tools">
      <div class="row">
        {canEdit ? (
          <div class="modes" role="group" aria-label={l10n.t('View mode')}>
            {(['read', 'edit'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={mode === one} onClick={() => onMode(one)}>
                {one === 'read' ? l10n.t('Read') : l10n.t('Edit')}
              </button>
            ))}
          </div>
        ) : (
          <span class="quiet">{l10n.t('This document can’t be changed now.')}</span>
        )}
        <Button secondary icon="go-to-file" onClick={() => void show.send({ artifact })}>
          {l10n.t('Open as Text')}
        </Button>
        {compared && (
          <span class="row">
            <Button
              secondary
              icon="diff"
              onClick={() => void diff.send({ artifact, version: compared.version })}
            >
              {l10n.t('Compare')}
            </Button>
            <select
              class="select"
              aria-label={l10n.t('Compare with')}
              value={compared.version}
              onChange={(event) => setVersion(Number(event.currentTarget.value))}
            >
              {earlier.map((one) => (
                <option key={one.version} value={one.version}>
                  {l10n.t('version {0}, {1}', one.version, when(one.at))}
                </option>
              ))}
            </select>
          </span>
        )}
        <span class="quiet">{l10n.t('version {0}', document.version)}</span>
      </div>
      <Failure
        failure={show.failure ?? diff.failure}
        onDismiss={() => (show.failure ? show : diff).dismiss()}
      />
    </div>
  );
}
