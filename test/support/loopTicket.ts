import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { codingReport, runCommand } from '../../src/demo/generic/execution.ts';
import { ChatRequest } from '../../src/demo/script/parsedChat.ts';
import type { ToolCall } from '../../src/demo/script/modelScript.ts';
import type { CliProcess, CliResult } from './cliProcess.ts';
import { type CliTicket, cliTickets, type Sent } from './cliTicket.ts';

export const loopTicket = 'SAMPL-1';
export const loopTest = 'cat greet.txt && grep -q hello greet.txt';
const prompt = '# Greet people\n\nWrite a greeting.\n\n- [ ] greet.txt says hello\n';

const Passed = z.looseObject({ pass: z.number(), outcome: z.string(), end: z.string().nullable() });

/** A loop whose work is one file, `greet.txt`. */
export class LoopByCli {
  readonly ticket: CliTicket;

  constructor(ticket: CliTicket) {
    this.ticket = ticket;
  }

  begin(...words: readonly string[]): CliProcess {
    const { ticket } = this;
    return ticket.begin(
      'loop',
      'PROMPT.md',
      '--test',
      loopTest,
      '--model',
      'scripted/alpha',
      '--approve',
      'all',
      ...words,
      ...ticket.driving,
    );
  }

  run(...words: readonly string[]): Promise<CliResult> {
    return this.begin(...words).ended;
  }

  goOn(...words: readonly string[]): Promise<CliResult> {
    return this.ticket.cli('run', loopTicket, '--approve', 'all', ...words, ...this.ticket.driving);
  }

  /** Of each coding session, oldest first. */
  get firsts(): readonly Sent[] {
    return this.ticket
      .of('coding')
      .filter(({ body }) =>
        ChatRequest.parse(JSON.parse(body)).messages.every(({ role }) => role !== 'assistant'),
      );
  }

  /** And how the loop ended. */
  async passes(): Promise<readonly string[]> {
    return (await this.ticket.records()).flatMap(({ payload }) => {
      const { success, data } = Passed.safeParse(payload);
      return success ? [`${String(data.pass)} ${data.outcome} ${String(data.end)}`] : [];
    });
  }

  inWorktree(path: string): string {
    return join(`${this.ticket.repository.root}.worktrees`, loopTicket, path);
  }

  /** Lets the agent continue that `holds` holds. */
  async letGo(name: string): Promise<void> {
    await writeFile(join(this.ticket.folder, `go-${name}`), '');
  }
}

/** Call it in a `describe`. */
export function loopsByCli(): (options?: Parameters<ReturnType<typeof cliTickets>>[0]) => Promise<LoopByCli> {
  const makeTicket = cliTickets();
  return async (options) => {
    const ticket = await makeTicket(options);
    await writeFile(join(ticket.folder, 'PROMPT.md'), prompt);
    return new LoopByCli(ticket);
  };
}

export function write(filePath: string, content: string): ToolCall {
  return { tool: 'write', args: { filePath, content } };
}

/** With `failing` it says that it did not succeed. */
export function report(failing?: string): string {
  return codingReport(
    { id: 'loop', title: 'Greet people', iteration: 1, testCommands: [loopTest] },
    ['greet.txt'],
    failing,
  );
}

/** Waits for `letGo`. `folder`: of the ticket. */
export function holds(folder: string, name: string): ToolCall {
  return runCommand(`until [ -e ${join(folder, `go-${name}`)} ]; do sleep 0.1; done`);
}
