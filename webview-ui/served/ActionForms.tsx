import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { visible } from '../../src/base/visible.ts';
import type { FlagField } from '../../src/domain/workflow/formFields.ts';
import {
  flagOf,
  type FormAction,
  formActions,
  formOf,
  isNeeded,
  textsOf,
} from '../../src/domain/workflow/forms.ts';
import type { ServedDetail, ServedKind } from '../../src/protocol/team/served.ts';
import { Button, Checkbox } from '../base/elements.tsx';
import { Heading } from '../base/headings.tsx';
import type { Decide } from './Decisions.tsx';
import { TextArea } from './work.tsx';

interface Props {
  readonly detail: ServedDetail;
  readonly disabled: boolean;
  readonly decide: Decide;
}

/** Shown where the documents are decided about. */
const elsewhere: readonly ServedKind[] = ['approve', 'regenerate'];
const isForm = (kind: ServedKind): kind is ServedKind & FormAction =>
  formActions.some((action) => action === kind) && !elsewhere.includes(kind);

/** Everything else that the ticket takes, by the words and fields of each action. */
export function ActionForms({ detail, disabled, decide }: Props) {
  const [open, setOpen] = useState<ServedKind & FormAction>();
  const section = useRef<HTMLElement>(null);
  const offered = detail.can.filter(isForm);
  const canResume = detail.can.includes('resume');
  if (offered.length === 0 && !canResume) return null;
  return (
    <section aria-labelledby="more" tabIndex={-1} ref={section}>
      <Heading id="more">Actions</Heading>
      <div class="actions">
        {canResume && (
          <Button secondary disabled={disabled} onClick={() => void decide('resume', {}, 'Resumed.')}>
            Resume
          </Button>
        )}
        {offered.map((action) => (
          <Button
            key={action}
            secondary
            disabled={disabled}
            onClick={() => {
              if (asksNothing(action)) void decide(action, {}, doneText(action));
              else setOpen(action === open ? undefined : action);
            }}
          >
            {titleOf(action)}
          </Button>
        ))}
      </div>
      {open !== undefined && offered.includes(open) && (
        <Form
          key={open}
          action={open}
          detail={detail}
          disabled={disabled}
          decide={decide}
          onLeave={() => {
            setOpen(undefined);
            section.current?.focus({ preventScroll: true });
          }}
        />
      )}
    </section>
  );
}

function Form({
  action,
  detail,
  disabled,
  decide,
  onLeave,
}: Props & { readonly action: ServedKind & FormAction; readonly onLeave: () => void }) {
  const { about, confirmation } = formOf(action);
  const [texts, setTexts] = useState<Readonly<Record<string, string>>>({});
  const [isOn, setOn] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  // Where a person reads on, also with a keyboard or a screen reader.
  useLayoutEffect(() => {
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const [flag, field] = flagFor(action, detail) ?? [];
  const fields = textsOf(action);
  const met = detail.gapsOpen ? (['gapsOpen'] as const) : [];
  const isReady = fields.every(([name, text]) => !isNeeded(text, met) || (texts[name] ?? '').trim() !== '');
  const title = titleOf(action).replace('…', '');
  const send = async (): Promise<void> => {
    const given = Object.fromEntries(fields.map(([name]) => [name, (texts[name] ?? '').trim()]));
    const flags = flag !== undefined && isOn ? { [flag]: true } : {};
    if (await decide(action, { ...given, ...flags }, doneText(action))) onLeave();
  };
  return (
    <div class="card" role="group" aria-label={title} tabIndex={-1} ref={place}>
      <p class="plain">{confirmation ? named(confirmation.question, detail) : about}</p>
      {confirmation && <p class="quiet plain">{named(confirmation.detail, detail)}</p>}
      {fields.map(([name, text]) => (
        <div key={name}>
          <TextArea
            label={isNeeded(text, met) ? text.label : `${text.label} (optional)`}
            value={texts[name] ?? ''}
            maxLength={text.most}
            onInput={(value) => setTexts({ ...texts, [name]: value })}
          />
          <p class="quiet">{text.about}</p>
        </div>
      ))}
      {field && <Checkbox label={field.about} checked={isOn} onChange={setOn} />}
      <div class="actions">
        <Button disabled={disabled || !isReady} onClick={() => void send()}>
          {confirmation?.button ?? title}
        </Button>
        <Button secondary onClick={onLeave}>
          Back
        </Button>
      </div>
    </div>
  );
}

/** Without one, its only text names it: it is part of another page in the editor. */
function titleOf(action: FormAction): string {
  const [text] = textsOf(action);
  return formOf(action).command?.title ?? `${text?.[1].label ?? action}…`;
}

function doneText(action: FormAction): string {
  return formOf(action).done ?? `${titleOf(action).replace('…', '')}: done.`;
}

function asksNothing(action: FormAction): boolean {
  return !formOf(action).confirmation && Object.keys(formOf(action).fields).length === 0;
}

function flagFor(
  action: FormAction,
  { hasWorktree }: ServedDetail,
): readonly [name: string, field: FlagField] | undefined {
  const flag = flagOf(action);
  return flag?.[1].needs === 'worktree' && !hasWorktree ? undefined : flag;
}

function named(text: string, { id, title, branch, base }: ServedDetail): string {
  const names: Readonly<Record<string, string>> = { ticket: id, title, branch, base };
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => visible(names[name] ?? whole));
}
