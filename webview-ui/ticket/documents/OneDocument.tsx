import * as l10n from '@vscode/l10n';
import { useRef, useState } from 'preact/hooks';
import * as z from 'zod';
import { hiddenSentence } from '../../../src/base/visible.ts';
import type { ApprovalState, ShownDocument } from '../../../src/protocol/pages/approval.ts';
import { Button, Icon, PlainItems } from '../../base/elements.tsx';
import { when } from '../../base/format.ts';
import { Heading } from '../../base/headings.tsx';
import { useSaveKey, useViewState } from '../../base/keptState.tsx';
import { Failure, useRequest } from '../../base/useRequest.tsx';
import type { Tools } from '../shared/parts.tsx';
import { CouncilView } from './CouncilView.tsx';
import { Decision } from './Decision.tsx';
import { DocumentBody, useEditing } from './DocumentBody.tsx';
import type { Drafts, Problem } from './drafts.ts';
import { focusField } from './form/Form.tsx';

export interface DocumentProps {
  readonly page: Tools;
  readonly state: ApprovalState;
  readonly document: ShownDocument;
  readonly drafts: Drafts;
  readonly onDrafts: (change: (now: Drafts) => Drafts) => void;
  /** Nothing may be done here now. */
  readonly locked: boolean;
}

export function OneDocument({ page, state, document, drafts, onDrafts, locked }: DocumentProps) {
  const { artifact } = document;
  const root = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useViewState(
    page.viewState,
    `mode.${artifact}`,
    z.enum(['read', 'edit']),
    drafts[artifact] ? 'edit' : 'read',
  );
  const [bead, setBead] = useViewState(page.viewState, 'bead', z.string(), '');
  const [report, setReport] = useState('');
  const editing = useEditing(drafts, onDrafts, document, () => setReport(''));
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
    setReport(
      outcome.value.state === 'pending' ? l10n.t('Queued; saved when work resumes.') : l10n.t('Saved.'),
    );
    if (outcome.value.state === 'consumed') editing.settle();
  };
  useSaveKey(() => {
    const [problem] = editing.problems;
    if (problem) onProblem(problem.path);
    else if (canSave) void onSave();
    else return false;
    return true;
  });
  const onDiscard = (): void => {
    editing.discard();
    save.dismiss();
    setReport(l10n.t('Your changes were discarded.'));
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
            <PlainItems of={document.hidden.texts} />
          </ul>
        </section>
      )}
      {document.gaps.length > 0 && (
        <section class="warning" aria-label={l10n.t('The last check found gaps')}>
          <Heading>
            <Icon name="warning" /> {l10n.t('The last check found gaps')}
          </Heading>
          <ul>
            <PlainItems of={document.gaps} />
          </ul>
          {artifact !== 'execution_setup_plan' && (
            <p class="quiet">{l10n.t('Later changes haven’t been checked yet.')}</p>
          )}
        </section>
      )}
      {document.notes.length > 0 && (
        <section class="card" aria-label={l10n.t('How it was checked')}>
          <Heading>{l10n.t('How it was checked')}</Heading>
          <ul>
            <PlainItems of={document.notes.map(({ text, args }) => l10n.t(text, ...args))} />
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
        isBrief={state.together.includes(artifact) && state.together.length > 1}
        bead={bead}
        onBead={setBead}
      />
      {(editing.isDirty || save.isBusy || save.failure) && (
        <section class="save-bar" aria-label={l10n.t('unsaved')}>
          <Problems problems={editing.problems} onGo={onProblem} />
          <Failure of={save} />
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
      <p class="report" role="status">
        {report}
      </p>
      {state.gate === artifact && state.together.length === 1 && (
        <Decision
          page={page}
          state={state}
          documents={[document]}
          isDirty={editing.isDirty}
          disabled={locked || isBusy}
          onReport={setReport}
        />
      )}
    </div>
  );
}

type Mode = 'read' | 'edit';

interface ToolsProps {
  readonly page: Tools;
  readonly document: ShownDocument;
  readonly mode: Mode;
  readonly canEdit: boolean;
  readonly onMode: (mode: Mode) => void;
}

function DocumentTools({ page, document, mode, canEdit, onMode }: ToolsProps) {
  const { artifact, earlier } = document;
  const [version, setVersion] = useState<number>();
  const show = useRequest(page, 'showDocument');
  const diff = useRequest(page, 'compareDocument');
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
      <Failure of={show.failure ? show : diff} />
    </div>
  );
}

function Problems({
  problems,
  onGo,
}: {
  readonly problems: readonly Problem[];
  readonly onGo: (path: string) => void;
}) {
  if (problems.length === 0) return null;
  return (
    <div class="problem" role="status">
      <p>{l10n.t('Correct these problems before saving:')}</p>
      <ul>
        {problems.slice(0, 8).map(({ path, kind, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && (
              <button
                type="button"
                class="link"
                aria-label={l10n.t('Go to {0}', path)}
                onClick={() => onGo(path)}
              >
                {path}
              </button>
            )}
            {path !== '' && ': '}
            {problemText(kind, message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function problemText(kind: Problem['kind'], message: string): string {
  const texts: Readonly<Record<Problem['kind'], string>> = {
    empty: l10n.t('This field is empty.'),
    none: l10n.t('Add at least one item.'),
    tooLong: l10n.t('This text is too long.'),
    other: message,
  };
  return texts[kind];
}
