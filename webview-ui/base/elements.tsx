import '@vscode-elements/elements/dist/vscode-button/index.js';
import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import { type ComponentChildren, h } from 'preact';
import { useId } from 'preact/hooks';

/** A codicon, for the eye only: what it means is said in words beside it. */
export function Icon({ name, spin = false }: { readonly name: string; readonly spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

export function ProgressRing() {
  return <Icon name="loading" spin />;
}

interface ButtonProps {
  readonly onClick: () => void;
  readonly secondary?: boolean;
  readonly disabled?: boolean;
  readonly icon?: string;
  /**
   * Its name where what it shows, beside others like it, doesn't say what it is about. Begins with what it
   * shows.
   */
  readonly label?: string;
  /** The name of the panel that it opens. */
  readonly opens?: string;
  readonly children: ComponentChildren;
}

export function Button({
  onClick,
  secondary = false,
  disabled = false,
  icon,
  label,
  opens,
  children,
}: ButtonProps) {
  const props = {
    secondary,
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

/** A button with nothing but an icon; `label` is its name and its tooltip. */
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

export function TextArea({
  label,
  value,
  onInput,
  rows = 3,
  ...rest
}: TextProps & { readonly rows?: number }) {
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      {h('vscode-textarea', {
        label,
        value,
        rows,
        resize: 'vertical',
        onInput: (event: Event) => onInput(valueOf(event)),
        ...rest,
      })}
    </div>
  );
}

export function TextField({ label, value, onInput, ...rest }: TextProps) {
  return (
    <div class="field">
      <span class="label" aria-hidden="true">
        {label}
      </span>
      {h('vscode-textfield', { label, value, onInput: (event: Event) => onInput(valueOf(event)), ...rest })}
    </div>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
}

/**
 * The browser's own box: the elements' one is announced as something else, and is silent when it is changed
 * by arrow keys.
 */
export function Checkbox({ label, checked, onChange, disabled = false }: ChoiceProps) {
  const id = useId();
  return (
    <div class="choice">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}

/** One of several, of the same `name`. */
export function Radio({
  label,
  checked,
  onChange,
  name,
  disabled = false,
}: ChoiceProps & { readonly name: string }) {
  const id = useId();
  return (
    <div class="choice">
      <input
        id={id}
        type="radio"
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={() => onChange(true)}
      />
      <label for={id}>{label}</label>
    </div>
  );
}
