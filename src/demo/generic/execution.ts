import { isRecord } from '../../base/json.ts';
import { sha256 } from '../../base/sha256.ts';
import { KickoffAnswer } from '../../domain/beads/kickoff.ts';
import { readDocument, textField, tagged, yamlFence } from '../script/documentText.ts';
import { type Plan, type ToolCall, writeCall } from '../script/modelScript.ts';
import type { ParsedChat } from '../script/parsedChat.ts';
import { noteFiles, noteModule, noteOf, notesTest, noteTest } from './noteFiles.ts';

export function setupPlan(): string {
  return readyPlan('Node is all that is needed. (A scripted answer.)', 'The tests run on Node alone.', []);
}

/** Nothing has to be prepared. */
export function readyPlan(summary: string, evidence: string, tests: readonly string[]): string {
  return tagged('EXECUTION_SETUP_PLAN', {
    summary,
    readiness: { status: 'ready', actions_required: false, evidence: [evidence], gaps: [] },
    steps: [],
    project_commands: { prepare: [], test_full: tests, lint_full: [], typecheck_full: [] },
    cautions: [],
  });
}

export function setup(): Plan {
  return {
    calls: [{ tool: 'bash', args: { command: 'node --version', description: 'Shows the version of Node' } }],
    text: tagged('EXECUTION_SETUP_RESULT', {
      status: 'ready',
      summary: 'Nothing had to be prepared. (A scripted answer.)',
      bootstrap_commands: [],
      tooling_probe_commands: ['node --version'],
      environment: { path_prepend: [], variables: {} },
      cautions: [],
      checks: { workspace: 'pass', tooling: 'pass', temp_scope: 'pass', policy: 'pass' },
    }),
  };
}

interface BeadFacts {
  readonly id: string;
  readonly title: string;
  readonly iteration: number;
  readonly testCommands: readonly string[];
}

/** Without an iteration in `bead_data`, notes count the failed ones. */
export function beadFacts({ parts }: ParsedChat): BeadFacts {
  const value = readDocument(parts.get('bead_data'));
  const bead = isRecord(value) ? value : {};
  const notes =
    (parts.get('bead_notes') ?? '').match(/^### Note \d+/gm)?.length ??
    ((parts.get('bead_notes') ?? '').trim() === '' ? 0 : 1);
  const commands = Array.isArray(bead['testCommands'])
    ? bead['testCommands'].filter((command) => typeof command === 'string')
    : [];
  return {
    id: textField(bead, 'id') || 'unknown-bead',
    title: textField(bead, 'title') || 'Untitled bead',
    iteration: typeof bead['iteration'] === 'number' ? bead['iteration'] : notes + 1,
    testCommands: commands,
  };
}

export function coding(chat: ParsedChat): Plan {
  const bead = beadFacts(chat);
  const files = noteFiles(bead.id);
  const commands = bead.testCommands.length > 0 ? bead.testCommands : [`node --test ${files.test}`];
  return {
    calls: [
      writeCall(files.module, noteModule(bead.id, bead.title)),
      writeCall(files.test, noteTest(bead.id, bead.title)),
      ...commands.map(runCommand),
    ],
    text: codingReport(bead, Object.values(files)),
  };
}

/** `failing`: why the model gives up. */
export function codingReport(bead: BeadFacts, files: readonly string[], failing?: string): string {
  const record = tagged('DEV_RECORD', {
    summary: `${bead.title}: done by a scripted model.`,
    files: [...files],
    decisions: ['None; the moves were written beforehand.'],
    tests: [...bead.testCommands],
    notes_for_reviewer: ['The author is a scripted model.'],
  });
  return `${record}${statusReport(bead, failing)}`;
}

/** The end of a fix, which has no record. */
export function statusReport({ id }: Pick<BeadFacts, 'id'>, failing?: string): string {
  const verdict = failing === undefined ? 'pass' : 'fail';
  const status = tagged('BEAD_STATUS', {
    bead_id: id,
    status: failing === undefined ? 'done' : 'error',
    checks: { tests: verdict, lint: 'pass', typecheck: 'pass', qualitative: verdict },
    ...(failing === undefined ? {} : { reason: failing }),
  });
  return `\n${status}`;
}

export function review(): string {
  return yamlFence({
    checked: ['Nothing: this review was written by a scripted model beforehand.'],
    findings: [],
  });
}

export function failureAnalysis(): string {
  const said = 'Not examined: this analysis was written by a scripted model beforehand.';
  return yamlFence({
    assessments: { architecture: said, implementation: said, requirements: said, environment: said },
    rootCause: 'A scripted model made no analysis.',
    plan: ['Read the failing check first.'],
    recommendation: 'retry',
    rationale: said,
    retryHint: 'Scripted hint: read the failing check first, then change only what it names.',
    confidence: 0,
  });
}

export function partyVote({ parts }: ParsedChat): string {
  const ids = Array.from((parts.get('findings') ?? '').matchAll(/^### (\S+):/gm), ([, id]) => id ?? '');
  const reason = 'A scripted model confirms everything.';
  return yamlFence({ ballots: [...new Set(ids)].map((finding) => ({ finding, vote: 'confirm', reason })) });
}

export function kickoff(chat: ParsedChat): string {
  const point = `Do what "${beadFacts(chat).title}" says, and no more. (A scripted point.)`;
  return yamlFence(KickoffAnswer.parse({ implementation_strategy: [point] }));
}

export function fix(chat: ParsedChat): string {
  return statusReport(beadFacts(chat));
}

export function retryNote(chat: ParsedChat): string {
  const { title, id } = beadFacts(chat);
  const failure = (chat.parts.get('error_context') ?? chat.parts.get('failing_evidence') ?? '').trim();
  const excerpt = failure === '' ? 'No failure was named.' : failure.slice(0, 400);
  return [
    `Scripted note. Goal: ${chat.parts.has('bead_data') ? `${title} (${id})` : 'the task at hand'}.`,
    `What failed: ${excerpt}`,
    'Tried: one straightforward attempt. Next time: read the failing test first, then change only what it names.',
  ].join('\n');
}

export function finalTest({ parts }: ParsedChat): Plan {
  const beads = parts.get('beads') ?? '';
  const mark = sha256(`${beads}${parts.get('final_test_notes') ?? ''}`).slice(0, 8);
  const notes = beads
    .split('\n')
    .flatMap(targetFiles)
    .flatMap((file) => noteOf(file) ?? []);
  const { path, content } = notesTest(mark, [...new Set(notes)]);
  return {
    calls: [writeCall(path, content), runCommand(`node --test ${path}`)],
    text: finalTestReport([`node --test ${path}`], [path]),
  };
}

/** Of the bead in a line of the plan; beads that are left out have none. */
function targetFiles(line: string): readonly string[] {
  const [, files = ''] = /"targetFiles":\[([^\]]*)\]/.exec(line) ?? [];
  return [...files.matchAll(/"([^"]*)"/g)].map(([, file = '']) => file);
}

export function finalTestReport(commands: readonly string[], files: readonly string[]): string {
  return tagged('FINAL_TEST_COMMANDS', {
    commands: [...commands],
    test_files: [...files],
    modified_files: [...files],
    summary: 'One test over all beads of the ticket, written by a scripted model.',
  });
}

/** Keeps both sides of every conflict. */
export function resolveBase(): Plan {
  const command = `for file in $(git grep -l '^<<<<<<< '); do sed -i '/^<<<<<<< /d;/^=======$/d;/^>>>>>>> /d' "$file"; done`;
  return {
    calls: [runCommand(command)],
    text: tagged('BASE_RESOLUTION', { summary: 'Both sides are kept.', new_files: [] }),
  };
}

export function runCommand(command: string): ToolCall {
  return { tool: 'bash', args: { command, description: 'Runs the tests' } };
}
