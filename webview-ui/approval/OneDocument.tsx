import { useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import { Button, Icon } from '../base/elements.tsx';
import { useKept } from '../base/kept.ts';
import type { PageTools } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import type { approvalPage, ApprovalState, ShownDocument } from '../../src/protocol/pages/approval.ts';
import type { ApprovalText } from '../../src/protocol/pages/approvalTexts.ts';
import { CouncilView } from './CouncilView.tsx';
import { Decision } from './Decision.tsx';
import { DocumentBody } from './DocumentBody.tsx';
import type { Drafts } from './drafts.ts';
import { DocumentTools } from './DocumentTools.tsx';
import { focusField } from './Form.tsx';
import { Problems } from './Problems.tsx';
import { useEditing } from './useEditing.ts';

interface Props {
  readonly page: PageTools<typeof approvalPage, ApprovalText>;
  readonly state: ApprovalState;
  readonly document: ShownDocument;
  readonly drafts: Drafts;
  readonly onDrafts: (change: (now: Drafts) => Drafts) => void;
  /** Nothing may be done here now. */
  readonly locked: boolean;
  readonly onApproved: () => void;
}

/** A document: what is wrong with it, itself for reading or editing, and what can be decided about it. */
export function OneDocument({ page, state, document, drafts, onDrafts, locked, onApproved }: Props) {
  const { texts } = page;
  const { artifact } = document;
  const root = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useKept(page.kept, `mode.${artifact}`, z.enum(['read', 'edit']), 'read');
  const [bead, setBead] = useKept(page.kept, 'bead', z.string(), '');
  const [notice, setNotice] = useState('');
  const editing = useEditing(drafts, onDrafts, document, () => setNotice(''));
  const save = useRequest(page, 'save');
  const canEdit = document.edit !== 'no' && !locked;
  const isEditing = canEdit && mode === 'edit';
  const isBusy = save.isBusy || editing.isSettling;

  const onSave = async (): Promise<void> => {
    const { base, value } = editing.draft;
    const outcome = await save.send({ artifact, baseSha256: base, value });
    if (!outcome.ok || outcome.value.state === 'left') return;
    setNotice(outcome.value.state === 'pending' ? texts.savedPending : texts.saved);
    if (outcome.value.state === 'consumed') editing.settle();
  };
  const onDiscard = (): void => {
    editing.discard();
    save.dismiss();
    setNotice(texts.discarded);
  };
  const onProblem = (path: string): void => {
    const place = artifact === 'beads' ? Number(path.split('.')[0]) : Number.NaN;
    const wrong = Array.isArray(editing.value) ? (editing.value as readonly { readonly id?: string }[])[place]?.id : undefined;
    if (wrong !== undefined) setBead(wrong);
    setMode('edit');
    // The field may only be there after the page was drawn again.
    requestAnimationFrame(() => focusField(root.current, path));
  };

  return (
    <div ref={root}>
      <DocumentTools page={page} document={document} mode={isEditing ? 'edit' : 'read'} canEdit={canEdit} onMode={setMode} />
      {document.gaps.length > 0 && (
        <section class="warning" aria-label={texts.gapsTitle}>
          <h2>
            <Icon name="warning" /> {texts.gapsTitle}
          </h2>
          <ul>
            {document.gaps.map((gap, place) => (
              <li key={place} class="plain">
                {gap}
              </li>
            ))}
          </ul>
          {artifact !== 'execution_setup_plan' && <p class="quiet">{texts.gapsStill}</p>}
        </section>
      )}
      {document.council && <CouncilView council={document.council} texts={texts} />}
      {isEditing && document.edit === 'rewind' && (
        <p class="warning">
          <Icon name="history" /> {texts.rewindNote}
        </p>
      )}
      {editing.isConflict && (
        <section class="warning" role="alert">
          <p>
            <Icon name="git-merge" /> {texts.conflict}
          </p>
          <div class="actions">
            <Button secondary onClick={editing.rebase}>
              {texts.keepMine}
            </Button>
            <Button secondary onClick={onDiscard}>
              {texts.takeTheirs}
            </Button>
          </div>
        </section>
      )}
      <DocumentBody
        page={page}
        document={document}
        editing={editing}
        isEditing={isEditing}
        disabled={isBusy}
        bead={bead}
        onBead={setBead}
      />
      {(editing.isDirty || save.isBusy || save.failure) && (
        <section class="save-bar" aria-label={texts.unsavedMark}>
          <Problems texts={texts} problems={editing.problems} onGo={onProblem} />
          <Failure failure={save.failure} onDismiss={() => save.dismiss()} />
          <div class="actions">
            <Button
              icon="save"
              disabled={!canEdit || isBusy || editing.isConflict || editing.problems.length > 0 || !editing.isDirty}
              onClick={() => void onSave()}
            >
              {texts.save}
            </Button>
            <Button secondary icon="discard" disabled={isBusy} onClick={onDiscard}>
              {texts.discard}
            </Button>
          </div>
        </section>
      )}
      <p class="notice" role="status">
        {notice}
      </p>
      {state.gate === artifact && (
        <Decision
          page={page}
          state={state}
          document={document}
          isDirty={editing.isDirty}
          disabled={locked || isBusy}
          onApproved={onApproved}
          onNotice={setNotice}
        />
      )}
    </div>
  );
}
