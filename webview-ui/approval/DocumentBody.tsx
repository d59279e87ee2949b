import * as z from 'zod';
import { Button } from '../base/elements.tsx';
import { fill } from '../base/fill.ts';
import { useKept } from '../base/kept.ts';
import type { PageTools } from '../base/page.tsx';
import type { approvalPage, ShownDocument } from '../../src/protocol/pages/approval.ts';
import type { ApprovalText } from '../../src/protocol/pages/approvalTexts.ts';
import { BeadsDocument } from './BeadsDocument.tsx';
import { changedAnswers, planOf } from './drafts.ts';
import { prdFields, setupFields } from './fields.ts';
import { Form } from './Form.tsx';
import { FormView } from './FormView.tsx';
import { InterviewDocument } from './InterviewDocument.tsx';
import type { Editing } from './useEditing.ts';

interface Props {
  readonly page: PageTools<typeof approvalPage, ApprovalText>;
  readonly document: ShownDocument;
  readonly editing: Editing;
  readonly isEditing: boolean;
  readonly disabled: boolean;
  readonly bead: string;
  readonly onBead: (id: string) => void;
}

/** A document's content; each kind in the form that suits it. */
export function DocumentBody({ page, document, editing, isEditing, disabled, bead, onBead }: Props) {
  const { texts } = page;
  const announce = (text: string): void => page.announce(text);
  const { artifact, value, problem } = document;
  if (problem !== '') return <p class="warning">{fill(texts.onlyText, problem)}</p>;
  if (artifact === 'interview') {
    const edit = { changed: changedAnswers(editing.value), disabled, onChange: editing.change };
    return <InterviewDocument texts={texts} value={value} {...(isEditing ? { edit } : {})} />;
  }
  if (artifact === 'beads')
    return (
      <BeadsDocument
        texts={texts}
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
  const fields = artifact === 'prd' ? prdFields : setupFields;
  const body = isEditing ? (
    <>
      <p class="quiet hint">{texts.keysHint}</p>
      <Form
        texts={texts}
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
    <FormView texts={texts} fields={fields} value={editing.value} />
  );
  return document.fullAnswers ? <WithAnswers page={page} answers={document.fullAnswers} body={body} /> : body;
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
  const { texts } = page;
  const [isOpen, setOpen] = useKept(page.kept, 'fullAnswers', z.boolean(), false);
  return (
    <>
      <Button secondary icon="layout-sidebar-right" onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.hideFullAnswers : texts.showFullAnswers}
      </Button>
      <div class={isOpen ? 'beside' : ''}>
        <div class="beside-main">{body}</div>
        {isOpen && (
          <aside aria-label={texts.fullAnswers}>
            <h2>{texts.fullAnswers}</h2>
            <p class="quiet">{texts.fullAnswersHint}</p>
            <InterviewDocument texts={texts} value={answers} />
          </aside>
        )}
      </div>
    </>
  );
}
