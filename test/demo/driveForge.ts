import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { providerConfig } from '../../src/demo/providerConfig.ts';
import { writeSampleRepository } from '../../src/demo/writeSampleRepository.ts';
import type { StandInPull, StandInRepository } from '../support/forge/endpoints.ts';
import { ForgeStandIn } from '../support/forge/forgeStandIn.ts';
import { checkForge, type ForgeFacts } from './checkForge.ts';
import { checkLines } from './checkDemo.ts';
import type { DemoProcesses, DemoTools, Printed } from './demoProcesses.ts';
import { git } from './facts.ts';
import { comment, mergeThere, Person, ReadmeCheck } from './forgePeople.ts';
import { answered, fixed, forgeScript, issue } from './forgeScript.ts';

const ticket = 'STOCK-1';
const name = 'octo/stockroom';

interface ForgeDemo {
  readonly json: boolean;
  readonly tools: DemoTools;
  readonly processes: DemoProcesses;
  readonly say: (line?: string) => void;
}

/** `--forge`: from an issue of a stand-in for GitHub to the merge of its pull request there. */
export async function driveForge(folder: string, demo: ForgeDemo): Promise<number> {
  const { processes, json, say } = demo;
  const started = Date.now();
  const forge = new ForgeStandIn();
  await forge.start();
  try {
    const checks = await checkForge(await journey(folder, forge, demo));
    const seconds = Math.round((Date.now() - started) / 100) / 10;
    for (const fault of forge.faults) console.error(`GitHub would object: ${fault}`);
    const ok = checks.every((check) => check.ok) && forge.faults.length === 0;
    if (json) console.log(JSON.stringify({ ok, ticket, folder, seconds, checks }, undefined, 2));
    else for (const line of checkLines(checks, folder, seconds)) say(line);
    return ok ? 0 : 1;
  } catch (error) {
    if (!processes.stopping) throw error;
    say(`\nStopped. Everything is in ${folder}`);
    return 130;
  } finally {
    await forge.stop();
  }
}

/** Throws when a command does anything but end or wait at the review. */
async function journey(
  folder: string,
  forge: ForgeStandIn,
  { tools, processes, say }: ForgeDemo,
): Promise<ForgeFacts> {
  const { repository, readme } = onTheForge(forge);
  const root = join(folder, 'stockroom');
  await writeSampleRepository(root);
  const ada = new Person(join(folder, 'home'), forge);
  await ada.git(root, 'remote', 'add', 'origin', forge.addressOf(name));
  await ada.git(root, 'push', '--quiet', 'origin', 'main');
  const config = await scripted(folder, processes);
  say(`Stand-in for GitHub: http://${forge.host}/${name} (its check and its reviewers are scripted, too)`);

  const printed: string[] = [];
  const start = async (run: Parameters<DemoProcesses['runFor']>[0]): Promise<Printed> => {
    const result = await processes.runFor(run);
    printed.push(result.stdout, result.stderr);
    return result;
  };
  const opencode = ['--opencode', tools.opencode, '--opencode-config', config];
  const run = async (program: 'cli' | 'person', ...args: readonly string[]): Promise<void> => {
    say(`\n$ beadsmith ${args.join(' ')}`);
    const driving = ['import', 'show'].includes(args[0] ?? '') ? [] : opencode;
    const { code } = await start({ env: ada.env, program, args: [...args, '--repo', root, ...driving] });
    if (code !== 0 && code !== 3) throw new Error(`beadsmith ${args.join(' ')} ended with ${String(code)}.`);
  };
  const read = async (...args: readonly string[]): Promise<string> => {
    const all = [...args, '--repo', root, '--json'];
    return (await start({ env: ada.env, program: 'cli', args: all, isShown: false })).stdout;
  };
  const watch = async (end: string): Promise<void> => {
    say('\nA process works on the tickets as a VS Code window does, and nobody is at the keyboard:');
    const { code } = await start({
      env: ada.env,
      program: 'window',
      args: [root, tools.opencode, config, end],
    });
    if (code !== 0) throw new Error(`The ticket was not ${end}.`);
  };
  const note = (text: string): void => say(`\n── on the forge: ${text}`);

  await run('cli', 'import', `http://${forge.host}/${name}/issues/${String(issue.number)}`, '--yes');
  const plan = ['--depth=quick', '--review=off', '--model=scripted/alpha', '--approve=plan,setup'];
  await run('cli', 'run', ticket, ...plan);
  await run('person', 'create-pull-request', ticket);
  const pull = onlyPull(repository);
  const redHead = tip(repository, pull);
  repository.checks = [readme.failed(redHead)];
  note(`a check of ${redHead.slice(0, 12)} fails, and two reviewers comment`);
  const wish = comment(repository, pull, { author: 'eve', on: 'Number(values.low', ...fixed });
  const question = comment(repository, pull, { author: 'bob', on: '<= most', ...answered });

  await watch('commented');
  await run('cli', 'show', ticket, '--comments');
  await run('person', 'reply-comment', ticket, '--comment', `r${String(question)}`, '--text', answered.reply);
  await run('person', 'fix-checks', ticket);
  await run('person', 'fix-comment', ticket, '--comment', `r${String(wish)}`, '--resolve');
  await run('person', 'create-pull-request', ticket);
  await run('person', 'check-pull-request', ticket);

  note('somebody merges the pull request');
  const merge = mergeThere(repository, pull);
  await watch('completed');
  return {
    folder,
    root,
    forge,
    repository,
    readme,
    pull,
    redHead,
    merge,
    wish,
    question,
    printed,
    read,
    start,
  };
}

function onTheForge(forge: ForgeStandIn): Pick<ForgeFacts, 'repository' | 'readme'> {
  const readme: ReadmeCheck = new ReadmeCheck(() => repository);
  const issues = [{ ...issue, author: 'mia', association: 'MEMBER' }];
  const repository: StandInRepository = forge.addRepository(name, { checksOf: readme, issues });
  // It keeps every update of a branch, for the checks at the end.
  git(repository.git, 'config', 'core.logAllRefUpdates', 'always');
  return { repository, readme };
}

/** Starts the scripted model, and returns a file with OpenCode's configuration. */
async function scripted(folder: string, processes: DemoProcesses): Promise<string> {
  const [script, config] = [join(folder, 'script.json'), join(folder, 'opencode.json')];
  const logs = ['--log', join(folder, 'requests.ndjson'), '--bodies', join(folder, 'requests')];
  writeFileSync(script, JSON.stringify(forgeScript, undefined, 2));
  const url = await processes.startModel(['--script', script, ...logs]);
  writeFileSync(config, JSON.stringify(providerConfig(url), undefined, 2));
  return config;
}

function onlyPull({ pulls }: StandInRepository): StandInPull {
  const [pull] = pulls;
  if (!pull) throw new Error('No pull request was created.');
  return pull;
}

function tip({ git: folder }: StandInRepository, pull: StandInPull): string {
  return git(folder, 'rev-parse', `refs/heads/${pull.head.branch}`);
}
