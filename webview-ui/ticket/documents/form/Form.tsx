import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, Checkbox, IconButton, MoveButtons, Radio } from '../../../base/elements.tsx';
import type { Problem } from '../drafts.ts';
import type { Field } from './fields.ts';
import { getAt, insertAt, listAt, moveAt, type Path, pathText, removeAt, setAt, textAt } from './jsonPath.ts';

interface FormProps extends Omit<FormTools, 'change'> {
  readonly fields: readonly Field[];
  /** The part of the document that the fields speak of. */
  readonly at: Path;
  readonly onChange: (next: unknown) => void;
}

/** Whatever moves keeps the focus. */
export function Form({ fields, at, onChange, ...rest }: FormProps) {
  const root = useRef<HTMLDivElement>(null);
  const wanted = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (wanted.current === undefined) return;
    focusField(root.current, wanted.current);
    wanted.current = undefined;
  });
  const tools: FormTools = {
    ...rest,
    change: (next, focus) => {
      wanted.current = focus && pathText(focus);
      onChange(next);
    },
  };
  return (
    <div class="form" ref={root}>
      <Fields tools={tools} fields={fields} at={at} level={2} />
    </div>
  );
}

/** Goes to a field by its path, or to the first one within it. */
export function focusField(within: Element | null, path: string): void {
  const fields = [...(within?.querySelectorAll<HTMLElement>('[data-path]') ?? [])];
  const field =
    fields.find(({ dataset }) => dataset['path'] === path) ??
    fields.find(({ dataset }) => dataset['path']?.startsWith(`${path}.`));
  field?.focus();
}

interface FieldProps<F> {
  readonly tools: FormTools;
  readonly field: F;
  readonly at: Path;
  /** Of its heading. */
  readonly level: number;
}

function Fields({ fields, at, ...rest }: Omit<FieldProps<Field>, 'field'> & Pick<FormProps, 'fields'>) {
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.key} field={field} at={[...at, field.key]} {...rest} />
      ))}
    </>
  );
}

function OneField({ tools, field, at, level }: FieldProps<Field>) {
  const { value, disabled } = tools;
  const { label } = field;
  switch (field.kind) {
    case 'text':
      return (
        <label class="field">
          <span class="label">{label}</span>
          <TextInput tools={tools} at={at} label={label} code={field.code} lines={field.lines} />
        </label>
      );
    case 'texts':
      return <Texts tools={tools} field={field} at={at} />;
    case 'check':
      return (
        <div data-path={pathText(at)} tabIndex={-1}>
          <Checkbox
            label={label}
            checked={getAt(value, at) === true}
            disabled={disabled}
            onChange={(checked) => tools.change(setAt(value, at, checked))}
          />
        </div>
      );
    case 'choice':
      return <Choice tools={tools} field={field} at={at} />;
    case 'group':
      return (
        <fieldset class="part">
          <Legend level={level}>{label}</Legend>
          <Fields tools={tools} fields={field.fields} at={at} level={level + 1} />
        </fieldset>
      );
    case 'items':
      return <Items tools={tools} field={field} at={at} level={level} />;
  }
}

function Legend({ level, children }: { readonly level: number; readonly children: ComponentChildren }) {
  return <legend class={level <= 2 ? 'h2' : 'h3'}>{children}</legend>;
}

function Choice({ tools, field, at }: Omit<FieldProps<Kind<'choice'>>, 'level'>) {
  const { value, disabled } = tools;
  const name = useId();
  return (
    <fieldset class="field" data-path={pathText(at)} tabIndex={-1}>
      <legend class="label">{field.label}</legend>
      {field.options.map(([option, label]) => (
        <Radio
          key={option}
          name={name}
          label={label}
          checked={getAt(value, at) === option}
          disabled={disabled}
          onChange={() => tools.change(setAt(value, at, option))}
        />
      ))}
    </fieldset>
  );
}

function Items({ tools, field, at, level }: FieldProps<Kind<'items'>>) {
  const { value, disabled } = tools;
  const items = listAt(value, at);
  return (
    <fieldset class="part" data-path={pathText(at)} tabIndex={-1}>
      <Legend level={level}>{field.label}</Legend>
      {items.map((_, place) => {
        const name = l10n.t('{0} {1}', field.item, textAt(value, [...at, place, 'id']) || place + 1);
        return (
          <fieldset class="card" key={place}>
            <legend class="unseen">{name}</legend>
            <div class="row">
              <strong class="grow" aria-hidden="true">
                {name}
              </strong>
              <MoveButtons
                name={name}
                isFirst={place === 0}
                isLast={place === items.length - 1}
                disabled={disabled}
                onMove={(by) => move(tools, at, place, place + by)}
              />
              <IconButton
                icon="trash"
                label={l10n.t('Remove {0}', name)}
                disabled={disabled}
                onClick={() => remove(tools, at, place)}
              />
            </div>
            <Fields tools={tools} fields={field.fields} at={[...at, place]} level={level + 1} />
          </fieldset>
        );
      })}
      <Button
        secondary
        icon="add"
        disabled={disabled}
        onClick={() => tools.change(insertAt(value, at, items.length, field.make()), [...at, items.length])}
      >
        {l10n.t('Add to {0}', field.label)}
      </Button>
    </fieldset>
  );
}

interface FormTools {
  /** The whole document. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly disabled: boolean;
  readonly announce: (text: string) => void;
  /** `focus`: the field that gets the focus. */
  readonly change: (next: unknown, focus?: Path) => void;
}

type Kind<K extends Field['kind']> = Extract<Field, { readonly kind: K }>;

function Texts({ tools, field, at }: Omit<FieldProps<Kind<'texts'>>, 'level'>) {
  const { value, disabled } = tools;
  const { label } = field;
  const items = listAt(value, at);
  const add = (place: number): void => tools.change(insertAt(value, at, place, ''), [...at, place]);
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    const by = event.altKey && !event.ctrlKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (event.isComposing || disabled) return;
    if (by !== undefined) move(tools, at, place, place + by);
    else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) add(place + 1);
    else if (event.key === 'Backspace' && textAt(value, [...at, place]) === '') remove(tools, at, place);
    else return;
    event.preventDefault();
  };
  return (
    <fieldset class="field" data-path={pathText(at)} tabIndex={-1}>
      <legend class="label">{label}</legend>
      {items.map((_, place) => (
        <div class="text-line" key={place}>
          <TextInput
            tools={tools}
            at={[...at, place]}
            label={l10n.t('{0} {1}', label, place + 1)}
            code={field.code}
            lines
            onKeyDown={(event) => onKeyDown(event, place)}
          />
          <IconButton
            icon="close"
            label={l10n.t('Remove {0}', l10n.t('{0} {1}', label, place + 1))}
            disabled={disabled}
            onClick={() => remove(tools, at, place)}
          />
        </div>
      ))}
      <div>
        <button
          type="button"
          class="link"
          disabled={disabled}
          aria-label={l10n.t('Add to {0}', label)}
          onClick={() => add(items.length)}
        >
          + {l10n.t('Add')}
        </button>
      </div>
    </fieldset>
  );
}

function move(tools: FormTools, at: Path, from: number, to: number): void {
  const next = moveAt(tools.value, at, from, to);
  if (next === tools.value) return;
  tools.change(next, [...at, to]);
  tools.announce(l10n.t('Moved to position {0} of {1}.', to + 1, listAt(next, at).length));
}

/** The item before the removed one gets the focus. */
function remove({ value, change, announce }: FormTools, at: Path, place: number): void {
  const isLast = listAt(value, at).length === 1;
  change(removeAt(value, at, place), isLast ? at : [...at, Math.max(0, place - 1)]);
  announce(l10n.t('Removed.'));
}

interface TextInputProps {
  readonly tools: FormTools;
  readonly at: Path;
  readonly label: string;
  readonly code: boolean | undefined;
  readonly lines: boolean | undefined;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** As high as its text. Where a text is one line, pasted line ends become blanks. */
function TextInput({ tools, at, label, code, lines, onKeyDown }: TextInputProps) {
  const { value, problems, disabled, change } = tools;
  const path = pathText(at);
  return (
    <textarea
      class={code ? 'text code' : 'text'}
      rows={1}
      data-path={path}
      aria-label={label}
      aria-invalid={problems.some((problem) => problem.path === path)}
      spellcheck={!code}
      disabled={disabled}
      value={textAt(value, at)}
      onInput={({ currentTarget: { value: typed } }) =>
        change(setAt(value, at, lines ? typed : typed.replace(/\s*\n\s*/g, ' ')))
      }
      onKeyDown={(event) => {
        if (!lines && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
    />
  );
}
