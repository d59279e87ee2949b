import type { SecretFound, SecretScanner } from '../../engine/ports/ports.ts';

/** Finds credentials by the rules of secretlint (docs/decisions/077-guarded-changes.md), which are loaded on first use. */
export class SecretlintScanner implements SecretScanner {
  async scan(path: string, text: string): Promise<readonly SecretFound[]> {
    const [{ lintSource }, { creator }] = await Promise.all([
      import('@secretlint/core'),
      import('@secretlint/secretlint-rule-preset-recommend'),
    ]);
    const ext = /\.[^./]+$/.exec(path)?.[0] ?? '';
    const { messages } = await lintSource({
      source: { filePath: `/${path}`, content: text, ext, contentType: 'text' },
      options: { maskSecrets: true, config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] } },
    });
    return messages
      .filter(({ severity }) => severity !== 'info')
      .map(({ range: [start, end], loc, ruleId, messageId }) => ({
        rule: `${ruleId.replace(/^@secretlint\/secretlint-rule-/, '')} ${messageId}`,
        line: loc.start.line,
        start,
        end,
      }));
  }
}
