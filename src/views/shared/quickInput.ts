import {
  type QuickInput,
  QuickInputButtons,
  type QuickPick,
  type QuickPickItem,
  QuickPickItemKind,
  window,
} from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';

export type Reply<T> =
  { readonly kind: 'given'; readonly value: T } | { readonly kind: 'back' } | { readonly kind: 'left' };

export interface Question {
  readonly title: string;
  readonly placeholder?: string;
  readonly step?: number;
  readonly steps?: number;
  readonly back?: boolean;
}

export interface Choice<T> extends QuickPickItem {
  readonly value: T;
}

/** A line above the choices that follow; it can't be chosen. */
export function divider(label: string): Choice<never> {
  return { label, kind: QuickPickItemKind.Separator, value: undefined as never };
}

export interface List<T> extends Question {
  readonly choices: readonly Choice<T>[];
  /** Answers the choices after the button of one was pressed. */
  readonly press?: (value: T) => Promise<readonly Choice<T>[]>;
}

/** Stays open when the person clicks elsewhere. */
export async function pickOne<T>(question: List<T>): Promise<Reply<T>> {
  const pick = createPick(question);
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  return settle(pick, question, () => {
    const [choice] = pick.selectedItems;
    return choice && { value: choice.value };
  });
}

export async function pickMany<T>(question: List<T>): Promise<Reply<readonly T[]>> {
  const pick = createPick(question);
  pick.canSelectMany = true;
  pick.selectedItems = question.choices.filter((choice) => choice.picked === true);
  return settle(pick, question, () => ({ value: pick.selectedItems.map((choice) => choice.value) }));
}

function createPick<T>({ choices, placeholder = '', press }: List<T>): QuickPick<Choice<T>> {
  const pick = window.createQuickPick<Choice<T>>();
  pick.items = choices;
  pick.placeholder = placeholder;
  pick.keepScrollPosition = true;
  if (press)
    pick.onDidTriggerItemButton(({ item: { value } }) => {
      press(value).then(
        (again) => showAgain(pick, again, value),
        () => undefined,
      );
    });
  return pick;
}

/** Keeps what was checked. */
function showAgain<T>(pick: QuickPick<Choice<T>>, choices: readonly Choice<T>[], active: T): void {
  const checked = pick.selectedItems.map(({ value }) => value);
  pick.items = choices;
  if (pick.canSelectMany) pick.selectedItems = choices.filter(({ value }) => checked.includes(value));
  pick.activeItems = choices.filter(({ value }) => value === active);
}

export async function writeText(
  question: Question & {
    readonly prompt?: string;
    readonly value?: string;
    readonly isPassword?: boolean;
    readonly check?: (text: string) => string | undefined;
  },
): Promise<Reply<string>> {
  const box = window.createInputBox();
  box.value = question.value ?? '';
  box.placeholder = question.placeholder ?? '';
  box.prompt = question.prompt ?? '';
  box.password = question.isPassword ?? false;
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

export function changed<A, B>(reply: Reply<A>, change: (value: A) => B): Reply<B> {
  return reply.kind === 'given' ? { kind: 'given', value: change(reply.value) } : reply;
}

export function valueOf<T>(reply: Reply<T>): T | undefined {
  return reply.kind === 'given' ? reply.value : undefined;
}

/** A message box shows so much without cutting it. */
const longestDetail = { characters: 1_200, lines: 18 };

/** True if a message box shows all of a detail. */
export function fitsInDialog(detail: string): boolean {
  return detail.length <= longestDetail.characters && detail.split('\n').length <= longestDetail.lines;
}

/** Asks in a dialog, which the editor's own commands can't answer. */
export async function isConfirmed(question: string, detail: string, button: string): Promise<boolean> {
  return (await window.showWarningMessage(question, { modal: true, detail }, button)) === button;
}

export type Step<State> = (
  known: State,
  place: { readonly step: number; readonly steps: number; readonly back: boolean },
) => Promise<Reply<State>>;

/**
 * Asks one thing after the other; Back returns to the question before, and nothing is lost. Undefined when
 * the person left.
 */
export async function askInSteps<State>(
  start: State,
  steps: readonly Step<State>[],
): Promise<State | undefined> {
  let known = start;
  for (let at = 0; ;) {
    const step = steps[at];
    if (!step) return known;
    const reply = await step(known, { step: at + 1, steps: steps.length, back: at > 0 });
    if (reply.kind === 'left') return undefined;
    if (reply.kind === 'given') known = reply.value;
    at += reply.kind === 'given' ? 1 : at > 0 ? -1 : 0;
  }
}
