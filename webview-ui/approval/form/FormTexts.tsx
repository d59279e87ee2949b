import * as l10n from '@vscode/l10n';
import { IconButton } from '../../base/elements.tsx';
import type { Problem } from '../drafts.ts';
import type { Field } from './fields.ts';
import { insertAt, listAt, moveAt, type Path, pathText, removeAt, setAt, textAt } from './jsonPath.ts';

/** The value and the functions that the parts of a form work with. */
export interface FormTools {
  /** The whole document. */
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly disabled: boolean;
  readonly announce: (text: string) => void;
  /** `focus`: the field that gets the focus. */
  readonly change: (next: unknown, focus?: Path) => void;
}

export type Kind<K extends Field['kind']> = Extract<Field, { readonly kind: K }>;

/** A list of texts, one a line. */
export function Texts({
  tools,
  field,
  at,
}: {
  readonly tools: FormTools;
  readonly field: Kind<'texts'>;
  readonly at: Path;
}) {
  const { value, disabled } = tools;
  const { label } = field;
  const items = listAt(value, at);
  const add = (place: number): void => tools.change(insertAt(value, at, place, ''), [...at, place]);
  const remove = (place: number): void => {
    tools.change(removeAt(value, at, place), items.length > 1 ? [...at, Math.max(0, place - 1)] : at);
    tools.announce(l10n.t('Removed.'));
  };
  const onKeyDown = (event: KeyboardEvent, place: number): void => {
    const by = event.altKey && !event.ctrlKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (event.isComposing || disabled) return;
    if (by !== undefined) move(tools, at, place, place + by);
    else if (event.key === 'Enter' && !event.shiftKey && !event.ctrlKey && !event.metaKey) add(place + 1);
    else if (event.key === 'Backspace' && textAt(value, [...at, place]) === '') remove(place);
    else return;
    event.preventDefault();
  };
  return (
    <fieldset class="field" data-path={pathText(at)} tabIndex={-1}>
      <legend class="label">{label}</legend>
      {items.map((_, place) => (
        <div class="line" key={place}>
          <TextInput
            tools={tools}
            at={[...at, place]}
            label={l10n.t('{0} {1}', label, place + 1)}
            code={field.code === true}
            lines={true}
            onKeyDown={(event) => onKeyDown(event, place)}
          />
          <IconButton
            icon="close"
            label={l10n.t('Remove {0}', l10n.t('{0} {1}', label, place + 1))}
            disabled={disabled}
            onClick={() => remove(place)}
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

/** Moves an item of a list, and the focus with it. */
export function move(tools: FormTools, at: Path, from: number, to: number): void {
  const next = moveAt(tools.value, at, from, to);
  if (next === tools.value) return;
  tools.change(next, [...at, to]);
  tools.announce(l10n.t('Moved to position {0} of {1}.', to + 1, listAt(next, at).length));
}

interface TextInputProps {
  readonly tools: FormTools;
  readonly at: Path;
  readonly label: string;
  readonly code: boolean;
  readonly lines: boolean;
  readonly onKeyDown?: (event: KeyboardEvent) => void;
}

/** As high as its text. Where a text is one line, pasted line ends become blanks. */
export function TextInput({ tools, at, label, code, lines, onKeyDown }: TextInputProps) {
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
      onInput={(event) =>
        change(
          setAt(
            value,
            at,
            lines ? event.currentTarget.value : event.currentTarget.value.replace(/\s*\n\s*/g, ' '),
          ),
        )
      }
      onKeyDown={(event) => {
        if (!lines && event.key === 'Enter') event.preventDefault();
        onKeyDown?.(event);
      }}
    />
  );
}
