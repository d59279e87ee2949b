import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import type { Field } from './fields.ts';
import { getAt, listAt, type Path, textAt } from './jsonPath.ts';

interface Props {
  readonly fields: readonly Field[];
  readonly value: unknown;
  readonly at?: Path;
  /** Of the first headings. */
  readonly level?: number;
}

/** Empty fields aren't shown. */
export function FormView({ fields, value, at = [], level = 2 }: Props) {
  return (
    <>
      {fields.map((field) => (
        <OneField key={field.key} field={field} value={value} at={[...at, field.key]} level={level} />
      ))}
    </>
  );
}

function OneField({ field, value, at, level }: Required<Omit<Props, 'fields'>> & { readonly field: Field }) {
  const { label } = field;
  if (isEmpty(field, value, at)) return null;
  switch (field.kind) {
    case 'text':
      // The title stands above the item already.
      return field.key === 'title' ? null : (
        <Labelled label={label}>{text(textAt(value, at), field.code)}</Labelled>
      );
    case 'check':
      return <Labelled label={label}>{getAt(value, at) === true ? l10n.t('yes') : l10n.t('no')}</Labelled>;
    case 'choice': {
      const option = field.options.find(([key]) => key === getAt(value, at));
      return <Labelled label={label}>{option ? option[1] : textAt(value, at)}</Labelled>;
    }
    case 'texts':
      return (
        <Labelled label={label}>
          <ul>
            {listAt(value, at).map((_, place) => (
              <li key={place}>{text(textAt(value, [...at, place]), field.code)}</li>
            ))}
          </ul>
        </Labelled>
      );
    case 'group':
      return (
        <section>
          <Heading level={level}>{label}</Heading>
          <FormView fields={field.fields} value={value} at={at} level={level + 1} />
        </section>
      );
    case 'items':
      return (
        <section>
          <Heading level={level}>{label}</Heading>
          {listAt(value, at).map((_, place) => (
            <section class="card" key={place}>
              <Heading level={level + 1}>
                <span class="quiet">
                  {l10n.t('{0} {1}', field.item, textAt(value, [...at, place, 'id']) || place + 1)}
                </span>{' '}
                {textAt(value, [...at, place, 'title'])}
              </Heading>
              <FormView fields={field.fields} value={value} at={[...at, place]} level={level + 2} />
            </section>
          ))}
        </section>
      );
  }
}

function Heading({ level, children }: { readonly level: number; readonly children: ComponentChildren }) {
  if (level <= 2) return <h2>{children}</h2>;
  if (level === 3) return <h3>{children}</h3>;
  return level === 4 ? <h4>{children}</h4> : <h5>{children}</h5>;
}

function Labelled({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="read-field">
      <div class="label">{label}</div>
      <div class="plain">{children}</div>
    </div>
  );
}

function text(content: string, code: boolean | undefined): ComponentChildren {
  return code ? <code>{content}</code> : content;
}

function isEmpty(field: Field, value: unknown, at: Path): boolean {
  switch (field.kind) {
    case 'text':
    case 'choice':
      return textAt(value, at) === '';
    case 'check':
      return getAt(value, at) === undefined;
    case 'texts':
    case 'items':
      return listAt(value, at).length === 0;
    case 'group':
      return field.fields.every((part) => isEmpty(part, value, [...at, part.key]));
  }
}
