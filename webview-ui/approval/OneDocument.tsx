import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import { hiddenSentence } from '../../src/base/visible.ts';
import { announceDraft } from '../base/DraftNote.tsx';
import { Button, Icon } from '../base/elements.tsx';
import { useViewState } from '../base/viewState.ts';
import type { PageTools } from '../base/page.tsx';
import { Failure, useRequest } from '../base/useRequest.tsx';
import { useSaveKey } from '../base/useSaveKey.ts';
import type { approvalPage, ApprovalState, ShownDocument } from '../../src/protocol/pages/approval.ts';
import { CouncilView } from './CouncilView.tsx';
import { Decision } from './Decision.tsx';
import { DocumentBody } from './DocumentBody.tsx';
import type { Drafts } from './drafts.ts';
import { DocumentTools } from './DocumentTools.tsx';
import { focusField } from './form/Form.tsx';
import { Problems } from './Problems.tsx';
import { useEditing } from './useEditing.ts';

interface Props {
  readonly page: PageTools<typeof approvalPage>;
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
  const { artifact } = document;
  const root = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useViewState(
    page.viewState,
    `mode.${artifact}`,
    z.enum(['read', 'edit']),
    drafts[artifact] ? 'edit' : 'read',
  );
  const [bead, setBead] = useViewState(page.viewState, 'bead', z.string(), '');
  const [notice, setNotice] = useState('');
  const editing = useEditing(drafts, onDrafts, document, () => setNotice(''));
  const save = useRequest(page, 'save');
  const canEdit = document.edit !== 'no' && !locked;
  const isEditing = canEdit && mode === 'edit';
  const isBusy = save.isBusy || editing.isSettling;
  const canSave =
    canEdit && !isBusy && !editing.isConflict && editing.problems.length === 0 && editing.isDirty;

  const onSave = async (): Promise<void> => {
    const { base, value } = editing.draft;
    const outcome = await save.send({ artifact, baseSha256: base, value });
    if (!outcome.ok || outcome.value.state === 'left') return;
    setNotice(
      outcome.value.state === 'pending' ? l10n.t('Queued; saved when work resumes.') : l10n.t('Saved.'),
    );
    if (outcome.value.state === 'consumed') editing.settle();
  };
  useSaveKey(() => {
    const [problem] = editing.problems;
    if (problem) onProblem(problem.path);
    else if (canSave) void onSave();
    else void announceDraft(page);
  });
  const onDiscard = (): void => {
    editing.discard();
    save.dismiss();
    setNotice(l10n.t('Your changes were discarded.'));
  };
  const onProblem = (path: string): void => {
    const place = artifact === 'beads' ? Number(path.split('.')[0]) : Number.NaN;
    const wrong = Array.isArray(editing.value)
      ? (editing.value as readonly { readonly id?: string }[])[place]?.id
      : undefined;
    if (wrong !== undefined) setBead(wrong);
    setMode('edit');
    // The field may only be there after the page was drawn again.
    requestAnimationFrame(() => focusField(root.current, path));
  };

  return (
    <div ref={root}>
      <DocumentTools
        page={page}
        document={document}
        mode={isEditing ? 'edit' : 'read'}
        canEdit={canEdit}
        onMode={setMode}
      />
      {document.hidden.count > 0 && (
        <section class="warning" role="alert">
          <p>
            <Icon name="warning" /> {l10n.t(hiddenSentence, document.hidden.count)}
          </p>
          <ul>
            {document.hidden.texts.map((text) => (
              <li key={text} class="plain">
                {text}
              </li>
            ))}
          </ul>
        </section>
      )}
      {document.gaps.length > 0 && (
        <section class="warning" aria-label={l10n.t('The last check found gaps')}>
          <h2>
            <Icon name="warning" /> {l10n.t('The last check found gaps')}
          </h2>
          <ul>
            {document.gaps.map((gap, place) => (
              <li key={place} class="plain">
                {gap}
              </li>
            ))}
          </ul>
          {artifact !== 'execution_setup_plan' && (
            <p class="quiet">{l10n.t('Later changes haven’t been checked yet.')}</p>
          )}
        </section>
      )}
      {document.notes.length > 0 && (
        <section class="card" aria-label={l10n.t('How it was checked')}>
          <h2>{l10n.t('How it was checked')}</h2>
          <ul>
            {document.notes.map(({ text, args }, place) => (
              <li key={place} class="plain">
                {l10n.t(text, ...args)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {document.council && <CouncilView council={document.council} />}
      {isEditing && document.edit === 'rewind' && (
        <p class="warning">
          <Icon name="history" />{' '}
          {l10n.t(
            'This document is already approved. Saving a change goes back to it and recreates everything based on it.',
          )}
        </p>
      )}
      {editing.isConflict && (
        <section class="warning" role="alert">
          <p>
            <Icon name="git-merge" />{' '}
            {l10n.t(
              'Someone else changed the document. Your changes are kept here and aren’t saved. If you keep yours, saving replaces theirs.',
            )}
          </p>
          <div class="actions">
            <Button secondary onClick={editing.rebase}>
              {l10n.t('Keep My Changes')}
            </Button>
            <Button secondary onClick={onDiscard}>
              {l10n.t('Discard My Changes')}
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
        <section class="save-bar" aria-label={l10n.t('unsaved')}>
          <Problems problems={editing.problems} onGo={onProblem} />
          <Failure failure={save.failure} onDismiss={() => save.dismiss()} />
          <div class="actions">
            <Button icon="save" disabled={!canSave} onClick={() => void onSave()}>
              {l10n.t('Save Changes')}
            </Button>
            <Button secondary icon="discard" disabled={isBusy} onClick={onDiscard}>
              {l10n.t('Discard Changes')}
            </Button>
          </div>
        </section>
      )}
      <p class="notice" role="status">
        {notice}
      </p>
      {state.gate === artifact && state.together.length === 1 && (
        <Decision
          page={page}
          state={state}
          documents={[document]}
          isDirty={editing.isDirty}
          disabled={locked || isBusy}
          onApproved={onApproved}
          onNotice={setNotice}
        />
      )}
    </div>
  );
}
