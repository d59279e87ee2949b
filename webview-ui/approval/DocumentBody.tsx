import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { Button } from '../base/elements.tsx';
import { useViewState } from '../base/viewState.ts';
import type { PageTools } from '../base/page.tsx';
import type { approvalPage, ShownDocument } from '../../src/protocol/pages/approval.ts';
import { BeadsDocument } from './beads/BeadsDocument.tsx';
import { changedAnswers, planOf } from './drafts.ts';
import { prdFields, setupFields } from './form/fields.ts';
import { Form } from './form/Form.tsx';
import { FormView } from './form/FormView.tsx';
import { InterviewDocument } from './interview/InterviewDocument.tsx';
import type { Editing } from './useEditing.ts';

interface Props {
  readonly page: PageTools<typeof approvalPage>;
  readonly document: ShownDocument;
  readonly editing: Editing;
  readonly isEditing: boolean;
  readonly disabled: boolean;
  readonly bead: string;
  readonly onBead: (id: string) => void;
}

/** A document's content; each kind in the form that suits it. */
export function DocumentBody({ page, document, editing, isEditing, disabled, bead, onBead }: Props) {
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
    <FormView fields={fields} value={editing.value} />
  );
  return document.fullAnswers ? <WithAnswers page={page} answers={document.fullAnswers} body={body} /> : body;
}

/** The fields of a kind's form; undefined for a kind that is shown as it is and edited as text. */
function formOf(artifact: ShownDocument['artifact']) {
  if (artifact === 'prd') return prdFields();
  return artifact === 'execution_setup_plan' ? setupFields() : undefined;
}

/** The PRD with the answers it is made from beside it, or below where there is no room. */
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
            <h2>{l10n.t('Full Answers')}</h2>
            <p class="quiet">{l10n.t('The interview as the winner completed it. The PRD is based on it.')}</p>
            <InterviewDocument value={answers} />
          </aside>
        )}
      </div>
    </>
  );
}
