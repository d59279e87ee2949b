import { l10n, type Uri, window, workspace } from 'vscode';
import { BeadsmithError } from '../../domain/core/errors.ts';
import { LoopRequest, readLoopPrompt } from '../../domain/ticket/loop.ts';
import { Settings } from '../../domain/settings/settings.ts';
import { askInSteps, changed, pickOne, type Step, writeText } from '../shared/quickInput.ts';
import type { OpenRepository } from '../shared/repositories.ts';
import { startTicket } from './startTicket.ts';

type Proof = 'commands' | 'project' | 'none';

interface Loop {
  readonly prompt: PromptFile | undefined;
  readonly minPasses: number;
  readonly maxPasses: number;
  readonly promise: string;
  readonly proof: Proof;
  /** The test commands, or the reason why there are none, as they were typed. */
  readonly said: string;
}

/** `path`: as people know the file. */
interface PromptFile {
  readonly name: string;
  readonly title: string;
  readonly text: string;
}

const usualMaximum = 10;

/** See docs/decisions/142-loops.md. Answers the id. */
export async function newLoop(repository: OpenRepository): Promise<string | undefined> {
  const title = l10n.t('New loop in {0}', repository.client.repository.name);
  const { settings } = repository.startSettings();
  const start: Loop = {
    prompt: undefined,
    minPasses: settings.minPasses ?? 1,
    maxPasses: Math.max(settings.minPasses ?? 1, settings.maxPasses ?? usualMaximum),
    promise: settings.promise ?? '',
    proof: 'commands',
    said: '',
  };
  const loop = await askInSteps<Loop>(start, [
    askPrompt(title),
    askPasses(title, 'minPasses', l10n.t('Minimum number of passes')),
    askPasses(title, 'maxPasses', l10n.t('Maximum number of passes')),
    askPromise(title),
    askProof(title, await repository.client.projectChecks()),
    askCommands(title),
  ]);
  if (!loop?.prompt) return undefined;
  const { minPasses, maxPasses, promise } = loop;
  const { id } = await repository.client.create({ title: loop.prompt.title, description: loop.prompt.text });
  await startTicket(repository, id, 'loop', {
    settings: { minPasses, maxPasses, promise },
    loop: requestOf(loop),
  });
  return id;
}

function requestOf({ proof, said }: Loop): LoopRequest {
  return LoopRequest.parse({
    tests: proof === 'commands' ? commandsOf(said) : [],
    noTests: proof === 'none' ? said : '',
  });
}

/** Two semicolons divide commands: one is what shells have within a line. */
function commandsOf(text: string): readonly string[] {
  return text
    .split(';;')
    .map((command) => command.trim())
    .filter((command) => command !== '');
}

function askPrompt(title: string): Step<Loop> {
  return async (known, place) => {
    const open = window.activeTextEditor?.document;
    const isText = open !== undefined && ['markdown', 'plaintext'].includes(open.languageId);
    for (;;) {
      const reply = isText
        ? await pickOne<'open' | 'other'>({
            ...place,
            title,
            placeholder: l10n.t('Select the prompt for the loop'),
            choices: [
              {
                label: `$(file) ${nameOf(open.uri)}`,
                description: l10n.t('in the active editor'),
                value: 'open',
              },
              { label: `$(folder-opened) ${l10n.t('Select a File…')}`, value: 'other' },
            ],
          })
        : ({ kind: 'given', value: 'other' } as const);
      if (reply.kind !== 'given') return reply;
      const bytes = reply.value === 'open' && open ? new TextEncoder().encode(open.getText()) : undefined;
      const file = bytes && open ? { name: nameOf(open.uri), bytes } : await selectFile();
      if (!file && !isText) return { kind: 'left' };
      if (!file) continue;
      const read = readLoopPrompt(file.bytes);
      if (!read.ok)
        throw new BeadsmithError('INVALID_INPUT', {
          what: `The prompt file ${file.name}`,
          reason: read.reason,
        });
      return {
        kind: 'given',
        value: { ...known, prompt: { name: file.name, title: read.title, text: read.text } },
      };
    }
  };
}

async function selectFile(): Promise<{ readonly name: string; readonly bytes: Uint8Array } | undefined> {
  const picked = await window.showOpenDialog({
    title: l10n.t('Select the prompt file'),
    openLabel: l10n.t('Use as Prompt'),
    filters: { [l10n.t('Text')]: ['md', 'markdown', 'txt'], [l10n.t('All files')]: ['*'] },
  });
  const [uri] = picked ?? [];
  return uri && { name: nameOf(uri), bytes: await workspace.fs.readFile(uri) };
}

function nameOf(uri: Uri): string {
  return uri.path.split('/').at(-1) ?? uri.path;
}

function askPasses(title: string, field: 'minPasses' | 'maxPasses', prompt: string): Step<Loop> {
  return async (known, place) => {
    const check = (text: string): string | undefined => {
      const least = field === 'maxPasses' ? known.minPasses : 1;
      const passes = Settings.shape[field].safeParse(Number(text.trim() === '' ? 'none' : text));
      return passes.success && passes.data >= least
        ? undefined
        : l10n.t('Enter a whole number from {0} to 100.', least);
    };
    const value = String(
      field === 'maxPasses' ? Math.max(known.minPasses, known.maxPasses) : known.minPasses,
    );
    const reply = await writeText({ ...place, title, prompt, value, check });
    return changed(reply, (text) => ({ ...known, [field]: Number(text) }));
  };
}

function askPromise(title: string): Step<Loop> {
  return async (known, place) => {
    const reply = await writeText({
      ...place,
      title,
      prompt: l10n.t(
        'The words that the agent writes in <promise> tags when it is done. Leave empty to use only its status block.',
      ),
      placeholder: 'COMPLETE',
      value: known.promise,
      check: (text) =>
        Settings.shape.promise.safeParse(text.trim()).success
          ? undefined
          : l10n.t('A promise is one line without angle brackets.'),
    });
    return changed(reply, (text) => ({ ...known, promise: text.trim() }));
  };
}

/** Without approved checks they would find out nothing. */
function askProof(title: string, checks: readonly string[]): Step<Loop> {
  return async (known, place) => {
    const reply = await pickOne<Proof>({
      ...place,
      title,
      placeholder:
        checks.length === 0
          ? l10n.t('How do you want to prove this loop? This project has no approved checks yet.')
          : l10n.t('How do you want to prove this loop?'),
      choices: [
        {
          label: `$(beaker) ${l10n.t('By test commands')}`,
          detail: l10n.t('They must fail without the work of the loop.'),
          value: 'commands',
        },
        ...(checks.length === 0
          ? []
          : [
              {
                label: `$(checklist) ${l10n.t('By the project’s checks')}`,
                detail: l10n.t('The checks of the last approved setup plan.'),
                value: 'project' as const,
              },
            ]),
        {
          label: `$(circle-slash) ${l10n.t('Not by a command')}`,
          detail: l10n.t('Requires a reason.'),
          value: 'none',
        },
      ],
    });
    return changed(reply, (proof) => ({ ...known, proof }));
  };
}

function askCommands(title: string): Step<Loop> {
  return async (known, place) => {
    if (known.proof === 'project') return { kind: 'given', value: known };
    const isReason = known.proof === 'none';
    const reply = await writeText({
      ...place,
      title,
      prompt: isReason
        ? l10n.t('Why can’t a command prove it?')
        : l10n.t('Test command. Separate several commands with “;;”.'),
      placeholder: isReason ? l10n.t('Only documentation changes') : 'npm test',
      value: known.said,
      check: (text) => problemOf({ ...known, said: text }),
    });
    return changed(reply, (said) => ({ ...known, said }));
  };
}

function problemOf(loop: Loop): string | undefined {
  if (loop.said.trim() === '')
    return loop.proof === 'none' ? l10n.t('Enter a reason.') : l10n.t('Enter a command.');
  const tests = loop.proof === 'commands' ? commandsOf(loop.said) : [];
  const request = LoopRequest.safeParse({ tests, noTests: loop.proof === 'none' ? loop.said : '' });
  return request.success ? undefined : l10n.t('The text is too long.');
}
