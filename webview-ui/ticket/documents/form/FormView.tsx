import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { Heading } from '../../../base/headings.tsx';
import type { Field } from './fields.ts';
import { getAt, listAt, type Path, textAt } from './jsonPath.ts';

interface Props {
  readonly fields: readonly Field[];
  readonly value: unknown;
  readonly at?: Path;
  /** Lists of items are a line each until they are opened. */
  readonly isFolded?: boolean;
  /** The levels of its headings below those that stand here. */
  readonly below?: number;
}

/** Empty fields aren't shown. */
export function FormView({ fields, value, at = [], below = 0, isFolded = false }: Props) {
  return (
    <>
      {fields.map((field) => (
        <OneField
          key={field.key}
          field={field}
          value={value}
          at={[...at, field.key]}
          below={below}
          isFolded={isFolded}
        />
      ))}
    </>
  );
}

function OneField({
  field,
  value,
  at,
  below,
  isFolded,
}: Required<Omit<Props, 'fields'>> & { readonly field: Field }) {
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
          <Heading below={below}>{label}</Heading>
          <FormView fields={field.fields} value={value} at={at} below={below + 1} isFolded={isFolded} />
        </section>
      );
    case 'items': {
      const items = listAt(value, at).map((_, place) => {
        const path = [...at, place];
        const name = (
          <>
            <span class="quiet">
              {l10n.t('{0} {1}', field.item, textAt(value, [...path, 'id']) || place + 1)}
            </span>{' '}
            {textAt(value, [...path, 'title'])}
          </>
        );
        const body = <FormView fields={field.fields} value={value} at={path} below={below + 2} />;
        return isFolded ? (
          <details class="fold" key={place}>
            <summary>{name}</summary>
            {body}
          </details>
        ) : (
          <section class="card" key={place}>
            <Heading below={below + 1}>{name}</Heading>
            {body}
          </section>
        );
      });
      return (
        <section>
          <Heading below={below}>{field.label}</Heading>
          {items}
        </section>
      );
    }
  }
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
