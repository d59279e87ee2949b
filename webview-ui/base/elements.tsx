import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import * as l10n from '@vscode/l10n';
import { type ComponentChildren, h } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { PrimaryButtons } from './primaryButtons.ts';

/** For the eye only: what it means is said in words beside it. */
export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

export function ProgressRing() {
  return <Icon name="loading" spin />;
}

const primaryButtons = new PrimaryButtons();

function useIsPrimary(wants: boolean): boolean {
  const [isPrimary, setPrimary] = useState(false);
  useLayoutEffect(() => {
    if (!wants) return undefined;
    const own = Symbol();
    const listening = primaryButtons.onDidChange(() => setPrimary(primaryButtons.isPrimary(own)));
    primaryButtons.add(own);
    return () => {
      listening.dispose();
      primaryButtons.remove(own);
    };
  }, [wants]);
  return wants && isPrimary;
}

/** Alt+Enter presses the primary button, wherever the focus is. */
export function usePrimaryKey(): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Enter' || !event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      document.querySelector<HTMLElement>('[data-primary]')?.click();
    };
    // Before the fields themselves, for some of which Enter means something.
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, []);
}

interface ButtonProps {
  readonly onClick: () => void;
  /** Never the primary button. Of all others of a page only the one that came last is. */
  readonly secondary?: boolean;
  readonly disabled?: boolean;
  /** Only leads to a form of the page, and isn't there while the form's own button is the primary one. */
  readonly leads?: boolean;
  readonly icon?: string;
  /** For a button that looks like others; it begins with what the button shows. */
  readonly label?: string;
  /** The name of the panel that it opens. */
  readonly opens?: string;
  readonly children: ComponentChildren;
}

export function Button({
  onClick,
  secondary = false,
  disabled = false,
  leads = false,
  icon,
  label,
  opens,
  children,
}: ButtonProps) {
  const isPrimary = useIsPrimary(!secondary);
  if (leads && !isPrimary) return null;
  const props = {
    secondary: !isPrimary,
    ...(isPrimary ? { 'data-primary': '' } : {}),
    ...(label === undefined ? {} : { 'aria-label': label }),
    ...(opens === undefined ? {} : { 'data-opens': opens }),
    disabled,
    'aria-disabled': disabled,
    onClick: () => {
      if (!disabled) onClick();
    },
    // The element makes a click of it, and the browser would scroll as well.
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === ' ') event.preventDefault();
    },
  };
  return h('vscode-button', props, icon === undefined ? null : <Icon name={icon} />, ' ', children);
}

/** `label` is its name and its tooltip. */
export function IconButton({
  icon,
  label,
  onClick,
  disabled = false,
}: {
  readonly icon: string;
  readonly label: string;
  readonly onClick: () => void;
  readonly disabled?: boolean;
}) {
  return (
    <button
      type="button"
      class="icon-button"
      title={label}
      aria-label={label}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon name={icon} />
    </button>
  );
}

/** `by` is -1 or 1. */
export function MoveButtons({
  name,
  isFirst,
  isLast,
  disabled = false,
  onMove,
}: {
  readonly name: string;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly disabled?: boolean;
  readonly onMove: (by: number) => void;
}) {
  const [up, down] = [l10n.t('Move {0} up', name), l10n.t('Move {0} down', name)];
  return (
    <>
      <IconButton icon="arrow-up" label={up} disabled={disabled || isFirst} onClick={() => onMove(-1)} />
      <IconButton icon="arrow-down" label={down} disabled={disabled || isLast} onClick={() => onMove(1)} />
    </>
  );
}

interface TextProps {
  /** Stands above it, and is its name. */
  readonly label: string;
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly maxLength?: number;
}

const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;

function Labelled({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      {children}
    </div>
  );
}

export function TextArea({ onInput, rows = 3, ...rest }: TextProps & { readonly rows?: number }) {
  const props = { ...rest, rows, resize: 'vertical', onInput: (event: Event) => onInput(valueOf(event)) };
  return <Labelled label={rest.label}>{h('vscode-textarea', props)}</Labelled>;
}

export function TextField({ onInput, ...rest }: TextProps) {
  const props = { ...rest, onInput: (event: Event) => onInput(valueOf(event)) };
  return <Labelled label={rest.label}>{h('vscode-textfield', props)}</Labelled>;
}

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

export function Checkbox(props: ChoiceProps) {
  return <Choice type="checkbox" {...props} />;
}

export function Radio(props: ChoiceProps & { readonly name: string }) {
  return <Choice type="radio" {...props} />;
}

/** The browser's own: the elements' one is announced as something else, and mute to arrow keys. */
function Choice({
  type,
  name,
  label,
  checked,
  onChange,
  disabled = false,
}: ChoiceProps & { readonly type: 'checkbox' | 'radio'; readonly name?: string }) {
  const id = useId();
  return (
    <div class="choice">
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

export function PlainItems({ of }: { readonly of: readonly string[] }) {
  return (
    <>
      {of.map((text, place) => (
        <li key={place} class="plain">
          {text}
        </li>
      ))}
    </>
  );
}

interface PanelProps {
  /** The button that opens it has the same in `opens`. */
  readonly name: string;
  readonly onLeave: () => void;
  readonly class?: 'card';
  readonly children: ComponentChildren;
}

/** It gets the focus, and gives it back when it closes, as Escape does. */
export function Panel({ name, onLeave, class: look, children }: PanelProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    root.current?.querySelector<HTMLElement>('vscode-textarea, vscode-textfield')?.focus();
    return () =>
      // What opened it may only be there again after the page was drawn.
      requestAnimationFrame(() => {
        if (document.activeElement === document.body)
          document.querySelector<HTMLElement>(`[data-opens="${CSS.escape(name)}"]`)?.focus();
      });
  }, []);
  return (
    <div
      class={look}
      ref={root}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onLeave();
      }}
    >
      {children}
    </div>
  );
}

export interface Tab<K extends string> {
  readonly key: K;
  readonly title: ComponentChildren;
}

/** Arrow keys, Home and End choose; only the chosen tab is reached by Tab. */
export function Tabs<K extends string>({
  label,
  tabs,
  chosen,
  onChoose,
  children,
}: {
  readonly label: string;
  readonly tabs: readonly Tab<K>[];
  readonly chosen: K;
  readonly onChoose: (key: K) => void;
  /** Of the chosen tab. */
  readonly children: ComponentChildren;
}) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === chosen);
    const moves: Readonly<Record<string, number>> = {
      ArrowLeft: at - 1,
      ArrowRight: at + 1,
      Home: 0,
      End: tabs.length - 1,
    };
    const to = moves[event.key];
    // With a modifier they are the editor's own: Alt and an arrow goes back to where one was.
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = (to + tabs.length) % tabs.length;
    const next = tabs[index];
    if (!next) return;
    onChoose(next.key);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[index]?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ key, title }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={key === chosen}
            aria-controls={`${id}-panel`}
            tabIndex={key === chosen ? 0 : -1}
            onClick={() => onChoose(key)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
