import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import * as z from 'zod';
import type { ShownDocument } from '../../../src/protocol/pages/approval.ts';
import { Button } from '../../base/elements.tsx';
import { Below, Heading } from '../../base/headings.tsx';
import { useViewState } from '../../base/keptState.tsx';
import type { Tools } from '../shared/parts.tsx';
import { InterviewDocument } from './InterviewDocument.tsx';
import { BeadsDocument } from './beads/BeadsDocument.tsx';
import {
  changedAnswers,
  type Draft,
  type Drafts,
  planOf,
  type Problem,
  problemsOf,
  type Shown,
  shownOf,
} from './drafts.ts';
import { Form } from './form/Form.tsx';
import { FormView } from './form/FormView.tsx';
import { prdFields, setupFields } from './form/fields.ts';

interface Props {
  readonly page: Tools;
  readonly document: ShownDocument;
  readonly editing: Editing;
  readonly isEditing: boolean;
  readonly disabled: boolean;
  /** It stands with others that one decision is about. */
  readonly isBrief: boolean;
  readonly bead: string;
  readonly onBead: (id: string) => void;
}

export function DocumentBody(props: Props) {
  const { page, document, editing, isEditing, disabled, isBrief, bead, onBead } = props;
  const announce = (text: string): void => page.announce(text);
  const { artifact, value, problem } = document;
  if (problem !== '')
    return (
      <p class="warning">
        {l10n.t('This document can’t be shown as a form ({0}). Open it as text.', problem)}
      </p>
    );
  if (artifact === 'interview') {
    const edit = { changed: changedAnswers(editing.value), disabled, onChange: editing.change };
    return <InterviewDocument value={value} {...(isEditing ? { edit } : {})} />;
  }
  if (artifact === 'beads')
    return (
      <BeadsDocument
        beads={planOf(editing.value)}
        problems={editing.problems}
        canEdit={isEditing}
        disabled={disabled}
        selected={bead}
        onSelect={onBead}
        onChange={editing.change}
        announce={announce}
      />
    );
  const fields = formOf(artifact);
  if (!fields) return <pre>{JSON.stringify(value, null, 2)}</pre>;
  const body = isEditing ? (
    <>
      <p class="quiet hint">
        {l10n.t(
          'Press Enter to add a line, Backspace to remove an empty line, and Alt+Up or Alt+Down to move a line.',
        )}
      </p>
      <Form
        fields={fields}
        value={editing.value}
        at={[]}
        problems={editing.problems}
        disabled={disabled}
        onChange={editing.change}
        announce={announce}
      />
    </>
  ) : (
    <FormView fields={fields} value={editing.value} isFolded={isBrief} />
  );
  return document.fullAnswers ? <WithAnswers page={page} answers={document.fullAnswers} body={body} /> : body;
}

/** Undefined for a kind that is shown as it is and edited as text. */
function formOf(artifact: ShownDocument['artifact']) {
  if (artifact === 'prd') return prdFields();
  return artifact === 'execution_setup_plan' ? setupFields() : undefined;
}

/** The PRD beside the answers it is made from. */
function WithAnswers({
  page,
  answers,
  body,
}: {
  readonly page: Props['page'];
  readonly answers: unknown;
  readonly body: preact.JSX.Element;
}) {
  const [isOpen, setOpen] = useViewState(page.viewState, 'fullAnswers', z.boolean(), false);
  return (
    <>
      <Button secondary icon="layout-sidebar-right" onClick={() => setOpen(!isOpen)}>
        {isOpen ? l10n.t('Hide Full Answers') : l10n.t('Show Full Answers')}
      </Button>
      <div class={isOpen ? 'beside' : ''}>
        <div class="beside-main">{body}</div>
        {isOpen && (
          <aside aria-label={l10n.t('Full Answers')}>
            <Heading>{l10n.t('Full Answers')}</Heading>
            <p class="quiet">{l10n.t('The interview as the winner completed it. The PRD is based on it.')}</p>
            <Below>
              <InterviewDocument value={answers} />
            </Below>
          </aside>
        )}
      </div>
    </>
  );
}

interface Editing extends Shown {
  readonly problems: readonly Problem[];
  /** The saved document is on its way back; until then nothing can be changed. */
  readonly isSettling: boolean;
  readonly change: (value: unknown) => void;
  readonly discard: () => void;
  /** The draft that a save carries. */
  readonly draft: Draft;
  /** The save was carried out: the next state has it. */
  readonly settle: () => void;
  /** Applies the changes to the current version. */
  readonly rebase: () => void;
}

/** Longer than a state takes. A save that changed nothing brings no new one. */
const settlingMs = 2_000;

/** Changes are kept until they are saved or discarded, over a reload, too. */
export function useEditing(
  drafts: Drafts,
  setDrafts: (change: (now: Drafts) => Drafts) => void,
  document: ShownDocument,
  onChange: () => void,
): Editing {
  const { artifact, sha256 } = document;
  const [settled, setSettled] = useState<Draft>();
  const isSettling = settled?.base === sha256;
  const draft = drafts[artifact] ?? (isSettling ? settled : undefined);
  const shown = shownOf(document, draft);
  const drop = (): void => setDrafts(({ [artifact]: _, ...others }) => others);
  // A draft that says what is stored is none.
  const isSpent = drafts[artifact] !== undefined && !shown.isDirty;
  useEffect(() => {
    if (isSpent) drop();
  }, [isSpent]);
  useEffect(() => {
    if (!settled) return undefined;
    const timer = setTimeout(() => setSettled(undefined), settlingMs);
    return () => clearTimeout(timer);
  }, [settled]);
  return {
    ...shown,
    isDirty: shown.isDirty && !isSettling,
    problems: shown.isDirty ? problemsOf(artifact, shown.value) : [],
    isSettling,
    change: (value) => {
      onChange();
      setDrafts((now) => ({ ...now, [artifact]: { base: now[artifact]?.base ?? sha256, value } }));
    },
    discard: drop,
    draft: { base: drafts[artifact]?.base ?? sha256, value: shown.value },
    settle: () => {
      setSettled(draft && { base: sha256, value: draft.value });
      drop();
    },
    rebase: () => setDrafts((now) => ({ ...now, [artifact]: { base: sha256, value: shown.value } })),
  };
}
