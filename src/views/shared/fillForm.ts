import { l10n } from 'vscode';
import type { Condition } from '../../domain/workflow/actions.ts';
import { errorTexts } from '../../domain/core/errors.ts';
import { fieldsOf, type FormAction } from '../../domain/workflow/forms.ts';
import { writeText } from './quickInput.ts';

/**
 * Asks for the fields of an action's form that can't be left empty under the conditions that are met, one
 * after the other. Returns them by their names; undefined if the person left.
 */
export async function fillForm(
  action: FormAction,
  title: string,
  met: readonly Condition[],
): Promise<Readonly<Record<string, string>> | undefined> {
  const filled: Record<string, string> = {};
  for (const [name, { label, about, most, needed }] of fieldsOf(action)) {
    if (!needed || !met.includes(needed.when)) continue;
    const reply = await writeText({
      title: `${title}: ${l10n.t(label)}`,
      prompt: l10n.t(about),
      check: (text) => {
        if (text.trim() === '') return l10n.t(errorTexts[needed.code][0]);
        return text.length > most
          ? l10n.t('Enter {0} characters at most.', most.toLocaleString())
          : undefined;
      },
    });
    if (reply.kind !== 'given') return undefined;
    filled[name] = reply.value.trim();
  }
  return filled;
}
