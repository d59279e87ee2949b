import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button, Checkbox, IconButton, Radio } from '../../base/elements.tsx';
import type { Field } from './fields.ts';
import { type FormTools, type Kind, move, TextInput, Texts } from './FormTexts.tsx';
import { getAt, insertAt, listAt, type Path, pathText, removeAt, setAt, textAt } from './jsonPath.ts';

interface FormProps extends Omit<FormTools, 'change'> {
  readonly fields: readonly Field[];
  /** The part of the document that the fields speak of. */
  readonly at: Path;
  readonly onChange: (next: unknown) => void;
}

/**
 * A document, or a part of it, for editing. Everything is reached by keyboard; whatever moves keeps the
 * focus.
 */
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

function Fields({
  tools,
  fields,
  at,
  level,
}: {
  readonly tools: FormTools;
  readonly fields: readonly Field[];
  readonly at: Path;
  readonly level: number;
}) {
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.key} tools={tools} field={field} at={[...at, field.key]} level={level} />
      ))}
    </>
  );
}

function OneField({
  tools,
  field,
  at,
  level,
}: {
  readonly tools: FormTools;
  readonly field: Field;
  readonly at: Path;
  readonly level: number;
}) {
  const { value, disabled } = tools;
  const { label } = field;
  switch (field.kind) {
    case 'text':
      return (
        <label class="field">
          <span class="label">{label}</span>
          <TextInput
            tools={tools}
            at={at}
            label={label}
            code={field.code === true}
            lines={field.lines === true}
          />
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

function Choice({
  tools,
  field,
  at,
}: {
  readonly tools: FormTools;
  readonly field: Kind<'choice'>;
  readonly at: Path;
}) {
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

function Items({
  tools,
  field,
  at,
  level,
}: {
  readonly tools: FormTools;
  readonly field: Kind<'items'>;
  readonly at: Path;
  readonly level: number;
}) {
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
              <IconButton
                icon="arrow-up"
                label={l10n.t('Move {0} up', name)}
                disabled={disabled || place === 0}
                onClick={() => move(tools, at, place, place - 1)}
              />
              <IconButton
                icon="arrow-down"
                label={l10n.t('Move {0} down', name)}
                disabled={disabled || place === items.length - 1}
                onClick={() => move(tools, at, place, place + 1)}
              />
              <IconButton
                icon="trash"
                label={l10n.t('Remove {0}', name)}
                disabled={disabled}
                onClick={() => {
                  tools.change(
                    removeAt(value, at, place),
                    items.length > 1 ? [...at, Math.max(0, place - 1)] : at,
                  );
                  tools.announce(l10n.t('Removed.'));
                }}
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
