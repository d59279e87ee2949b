import { useState } from 'preact/hooks';
import { Button } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { when } from '../base/format.ts';
import type { PageTools } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import type { approvalPage, ShownDocument } from '../../src/protocol/pages/approval.ts';
import type { ApprovalText } from '../../src/protocol/pages/approvalTexts.ts';

type Mode = 'read' | 'edit';

interface Props {
  readonly page: PageTools<typeof approvalPage, ApprovalText>;
  readonly document: ShownDocument;
  readonly mode: Mode;
  readonly canEdit: boolean;
  readonly onMode: (mode: Mode) => void;
}

/** Reading or editing, the text beside it, and what it looked like before. */
export function DocumentTools({ page, document, mode, canEdit, onMode }: Props) {
  const { texts } = page;
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
          <div class="modes" role="group" aria-label={texts.mode}>
            {(['read', 'edit'] as const).map((one) => (
              <button key={one} type="button" aria-pressed={mode === one} onClick={() => onMode(one)}>
                {texts[one]}
              </button>
            ))}
          </div>
        ) : (
          <span class="quiet">{texts.readOnlyNow}</span>
        )}
        <Button secondary icon="go-to-file" onClick={() => void show.send({ artifact })}>
          {texts.openText}
        </Button>
        {compared && (
          <span class="row">
            <Button secondary icon="diff" onClick={() => void diff.send({ artifact, version: compared.version })}>
              {texts.compare}
            </Button>
            <select
              class="select"
              aria-label={texts.compareWith}
              value={compared.version}
              onChange={(event) => setVersion(Number(event.currentTarget.value))}
            >
              {earlier.map((one) => (
                <option key={one.version} value={one.version}>
                  {fill(texts.earlierVersion, one.version, when(one.at))}
                </option>
              ))}
            </select>
          </span>
        )}
        <span class="quiet">{fill(texts.version, document.version)}</span>
      </div>
      <Failure failure={show.failure ?? diff.failure} onDismiss={() => (show.failure ? show : diff).dismiss()} />
    </div>
  );
}
