import { Findings, findingsDocument } from '../../../src/domain/documents/findings.ts';
import { readText } from '../../../src/domain/documents/base/text.ts';
import { type ExecutionWorld, report } from './executionWorld.ts';

export function inJson(answer: unknown): string {
  return `\`\`\`json\n${JSON.stringify(answer)}\n\`\`\`\nEND_OF_ANSWER`;
}

export function finding(fields: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    severity: 'high',
    category: 'correctness',
    file: 'greet.txt',
    line: 1,
    claim: 'It greets nobody by name.',
    evidence: 'hello',
    suggestedFix: 'Say whom.',
    confidence: 0.9,
    ...fields,
  };
}

export function reviewed(...findings: readonly unknown[]): string {
  return inJson({ checked: ['Each criterion.'], findings });
}

/** Fixers write no record. */
export function fixReport(bead = 'greet'): string {
  return `${report(bead).replace(/<DEV_RECORD>[^]*<\/DEV_RECORD>\n/, '')}\nEND_OF_ANSWER`;
}

export async function storedFindings(world: ExecutionWorld): Promise<Findings> {
  const stored = await world.store.artifact(world.ticket, findingsDocument.kind);
  const read = readText('yaml', stored?.content ?? '');
  return Findings.parse(read.ok ? read.value : undefined);
}
