import { type QuickInput, QuickInputButtons, type QuickPickItem, window } from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

/** The outcome of a question: an answer, one step back, or nothing because the person left. */
export type Reply<T> =
  { readonly kind: 'given'; readonly value: T } | { readonly kind: 'back' } | { readonly kind: 'left' };

export interface Question {
  readonly title: string;
  readonly placeholder?: string;
  readonly step?: number;
  readonly steps?: number;
  /** Offers a button that leads one step back. */
  readonly back?: boolean;
}

export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

/**
 * Asks for one of several. It stays open when the person clicks elsewhere, for example to read the document
 * that is asked about.
 */
export async function pickOne<T>(
  question: Question & { readonly choices: readonly Choice<T>[] },
): Promise<Reply<T>> {
  const pick = window.createQuickPick<Choice<T>>();
  pick.items = question.choices;
  pick.placeholder = question.placeholder ?? '';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  return settle(pick, question, () => {
    const [choice] = pick.selectedItems;
    return choice && { value: choice.value };
  });
}

/** Asks for any number of several. */
export async function pickMany<T>(
  question: Question & { readonly choices: readonly Choice<T>[] },
): Promise<Reply<readonly T[]>> {
  const pick = window.createQuickPick<Choice<T>>();
  pick.canSelectMany = true;
  pick.items = question.choices;
  pick.selectedItems = question.choices.filter((choice) => choice.picked === true);
  pick.placeholder = question.placeholder ?? '';
  return settle(pick, question, () => ({ value: pick.selectedItems.map((choice) => choice.value) }));
}

/** Asks for a line of text. `check` answers what is wrong with it. */
export async function writeText(
  question: Question & {
    readonly prompt?: string;
    readonly value?: string;
    readonly check?: (text: string) => string | undefined;
  },
): Promise<Reply<string>> {
  const box = window.createInputBox();
  box.value = question.value ?? '';
  box.placeholder = question.placeholder ?? '';
  box.prompt = question.prompt ?? '';
  return settle(box, question, () => {
    box.validationMessage = question.check?.(box.value) ?? '';
    return box.validationMessage === '' ? { value: box.value } : undefined;
  });
}

type Asked = QuickInput & {
  buttons: readonly unknown[];
  readonly onDidAccept: (listener: () => void) => { dispose(): void };
  readonly onDidTriggerButton: (listener: (button: unknown) => void) => { dispose(): void };
};

function settle<T>(
  input: Asked,
  question: Question,
  accepted: () => { readonly value: T } | undefined,
): Promise<Reply<T>> {
  const listeners = new DisposableStore();
  input.title = question.title;
  input.step = question.step;
  input.totalSteps = question.steps;
  input.ignoreFocusOut = true;
  if (question.back) input.buttons = [QuickInputButtons.Back];
  return new Promise<Reply<T>>((resolve) => {
    listeners.add(
      input.onDidAccept(() => {
        const answer = accepted();
        if (answer) resolve({ kind: 'given', value: answer.value });
      }),
    );
    listeners.add(
      input.onDidTriggerButton((button) => {
        if (button === QuickInputButtons.Back) resolve({ kind: 'back' });
      }),
    );
    listeners.add(input.onDidHide(() => resolve({ kind: 'left' })));
    input.show();
  }).finally(() => {
    listeners.dispose();
    input.dispose();
  });
}
