import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyRepository } from '../../demo/copyRepository.ts';
import { providerConfig } from '../../demo/providerConfig.ts';
import { startScriptedServer } from '../../demo/scriptedServer.ts';
import { StatusName } from '../../domain/ticket/ticket.ts';
import { rowOf } from '../../domain/workflow/workflow.ts';
import type { CliEvent } from '../../protocol/cliEvents.ts';
import type { InspectedCall } from '../../protocol/inspection.ts';
import type { CommandContext } from '../base/command.ts';
import { run } from '../commands/run.ts';
import { exitCodes } from '../base/exitCodes.ts';
import { commonOptions } from '../options/options.ts';
import { parseWords } from '../base/args.ts';
import type { Output } from '../base/output.ts';
import { Session } from '../drive/session.ts';

/** The ticket that is rehearsed. `options`: of `run`, beside the models, which are scripted. */
export interface Rehearsed {
  readonly root: string;
  readonly branch: string | null;
  readonly title: string;
  readonly description: string;
  /** Number of models that the council has beside the main implementer. */
  readonly members: number;
  readonly options: readonly string[];
}

/** The result of a rehearsal: the calls that were made, and where the ticket ended. */
export interface Rehearsal {
  readonly calls: readonly InspectedCall[];
  readonly end: Extract<CliEvent, { type: 'end' }> | undefined;
}

/**
 * Drives a ticket on a copy of the repository to its end, with the real OpenCode and generic scripted answers
 * in the place of every model: it costs no token and changes nothing (docs/decisions/152-rehearsals.md). The
 * copy is removed in the end. Throws GIT_FAILED, and what `run` throws.
 */
export async function rehearseOnCopy(context: CommandContext, what: Rehearsed): Promise<Rehearsal> {
  const folder = await mkdtemp(join(tmpdir(), 'beadsmith-rehearsal-'));
  const names = ['alpha', ...Array.from({ length: what.members }, (_, at) => `member-${String(at + 1)}`)];
  const model = await startScriptedServer();
  try {
    const copy = join(folder, 'repository');
    await copyRepository(what.root, copy, what.branch);
    const config = join(folder, 'opencode.json');
    await writeFile(config, JSON.stringify(providerConfig(model.url, names)));
    const output = new Progress(context.output);
    // Commands of scripted answers are known, and what they change is a copy.
    const env = { ...context.env, BEADSMITH_UNATTENDED_WITHOUT_SANDBOX: '1', BEADSMITH_SCRIPTED: '1' };
    const inner: CommandContext = { ...context, cwd: copy, env, output };
    const [main = '', ...council] = names.map((name) => `scripted/${name}`);
    const words = [
      `--title=${what.title}`,
      `--description=${what.description}`,
      '--repo',
      copy,
      '--opencode-config',
      config,
      '--model',
      main,
      ...council.flatMap((member) => ['--council', member]),
      '--approve',
      'all',
      '--end',
      'close',
      ...what.options,
    ];
    await run.run(inner, parseWords(words, run.options));
    const { end } = output;
    const ticket = end?.ticket ?? null;
    const calls =
      ticket === null
        ? []
        : await Session.with(
            inner,
            parseWords(['--repo', copy], commonOptions),
            { purpose: 'file' },
            ({ app }) => app.client.history.inspect(ticket),
          );
    return { calls, end };
  } finally {
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns true if a rehearsal came as far as a ticket comes without a person who merges. */
export function isWhole({ end }: Rehearsal): boolean {
  return end?.exit === exitCodes.done || end?.exit === exitCodes.gate;
}

/** Says which status a rehearsal is in, and keeps how it ended. */
class Progress implements Output {
  readonly #output: Output;
  end: Rehearsal['end'];

  constructor(output: Output) {
    this.#output = output;
  }

  event(event: CliEvent): void {
    if (event.type === 'end') this.end = event;
    const status = event.type === 'status' ? StatusName.safeParse(event.to).data : undefined;
    if (status) this.#output.text(`  ${rowOf(status).label}`);
  }

  text(): void {
    // It is about the copy.
  }

  close(): void {
    this.#output.close();
  }
}
