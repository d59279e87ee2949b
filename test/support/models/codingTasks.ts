import { codingReport, runCommand } from '../../../src/demo/generic/execution.ts';
import { noteFiles, noteModule, noteTest } from '../../../src/demo/generic/noteFiles.ts';
import type { ScriptInput, ToolCall } from '../../../src/demo/script/modelScript.ts';

/** As the generic model plans it. */
const bead = {
  id: 'note-greet-by-name-1',
  title: 'Greet by name',
  iteration: 1,
  testCommands: ['node --test beadsmith-notes/'],
};
const files = noteFiles(bead.id);

export const greetingQuestion = {
  question: 'Shall the greeting end with an exclamation mark?',
  header: 'Greeting',
  options: [
    { label: 'Yes', description: 'Hello, Ada!' },
    { label: 'No', description: 'Hello, Ada.' },
  ],
};

export const outsideCommand: ToolCall = {
  tool: 'bash',
  args: { command: 'cat /etc/hostname', description: 'Reads a file outside of the worktree' },
};

/** The first bead's first iteration goes otherwise; everything else is played by the generic model. */
export function codingTasks(first: {
  readonly calls?: readonly ToolCall[];
  readonly delayMs?: number;
  readonly fails?: boolean;
}): ScriptInput['tasks'] {
  const when = { bead: bead.id, iteration: 1 };
  const { calls = [], delayMs = 0, fails = false } = first;
  const writes: ToolCall[] = [
    {
      tool: 'write',
      args: { filePath: files.module, content: noteModule(bead.id, fails ? 'Something else' : bead.title) },
    },
    { tool: 'write', args: { filePath: files.test, content: noteTest(bead.id, bead.title) } },
    runCommand(`node --test ${files.test}`),
  ];
  const givesUp = {
    when: { ...when, continuation: { atLeast: 1 } },
    text: codingReport(bead, Object.values(files), 'The title is wrong.'),
  };
  const works = {
    when,
    delayMs,
    calls: [...calls, ...writes],
    text: codingReport(bead, Object.values(files)),
  };
  return { coding: fails ? [givesUp, works] : [works] };
}
