import { lintSource } from '@secretlint/core';
import { creator } from '@secretlint/secretlint-rule-preset-recommend';
import type { SecretFound } from '../../engine/ports/ports.ts';

export async function findSecrets(path: string, text: string): Promise<readonly SecretFound[]> {
  const ext = /\.[^./]+$/.exec(path)?.[0] ?? '';
  const { messages } = await lintSource({
    source: { filePath: `/${path}`, content: text, ext, contentType: 'text' },
    options: {
      maskSecrets: true,
      config: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: creator }] },
    },
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
