import { l10n } from 'vscode';
import { missesSentence, type ProviderThatMisses } from '../../../domain/promptCache/providersThatMiss.ts';

/** Says of each provider that gives nothing from its cache how often it gave nothing, and what to do. */
export function missTexts(misses: readonly ProviderThatMisses[]): readonly string[] {
  return misses.map(({ member, misses: times }) => l10n.t(missesSentence, member, times));
}
