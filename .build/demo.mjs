// Drives the sample ticket from DRAFT to COMPLETED with the real OpenCode and a scripted model, then checks what came out of it.
//
//   node .build/demo.mjs [--json] [--dir FOLDER] [--open [--exit]] [--clean] [--latency MS] [--rate TOKENS_PER_SECOND]
//
// --json   prints one JSON object; the live display goes to standard error
// --dir    works in this folder, which must be empty or missing; default: a new temporary one
// --open   files a second ticket that waits for answers, and shows both in a real VS Code; saves two screenshots
// --exit   ends the editor after the screenshots
// --clean  removes the folder at the end if all went well
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureNode24 } from './node24.mjs';
import { opencodeBinary, root } from './paths.mjs';

ensureNode24();
const { checkDemo, checkoutState, cli, gatherFacts } = await import('./checkDemo.mjs');
const { openDemo } = await import('./openDemo.mjs');
const { demoScript } = await import('../src/demo/demoScript.ts');
const { providerConfig } = await import('../src/demo/providerConfig.ts');
const { sampleAnswers } = await import('../src/demo/sample/answers.ts');
const { sampleTicket } = await import('../src/demo/sample/ticket.ts');
const { writeSampleRepository } = await import('../src/demo/writeSampleRepository.ts');

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    dir: { type: 'string' },
    open: { type: 'boolean', default: false },
    exit: { type: 'boolean', default: false },
    clean: { type: 'boolean', default: false },
    latency: { type: 'string', default: '0' },
    rate: { type: 'string', default: '0' },
  },
});
const say = (line = '') => (options.json ? console.error(line) : console.log(line));
/** What was started, newest last; ended in reverse. Each has a process group of its own, so that a Ctrl-C reaches it once: passed on from here. */
const children = new Set();
let stopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    stopping = true;
    // The scripted model stays until the tool that uses it has stopped.
    for (const child of children) if (child.passSignals) child.kill(signal);
  });
}

const started = Date.now();
const folder = workFolder();
try {
  process.exitCode = await demo();
  if (options.open && !stopping) await open();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
} finally {
  for (const child of [...children].reverse()) child.kill('SIGTERM');
}
if (options.clean && process.exitCode === 0) rmSync(folder, { recursive: true, force: true });

async function demo() {
  const places = { repository: join(folder, 'stockroom'), log: join(folder, 'requests.ndjson') };
  const base = await writeSampleRepository(places.repository);
  const before = checkoutState(places.repository);
  const file = (name, value) => (
    writeFileSync(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value, undefined, 2)),
    join(folder, name)
  );
  const script = file('script.json', demoScript);
  const model = await startModel(['--script', script, '--log', places.log]);
  const config = writeConfig('opencode.json', model.url);
  say(`Sample repository: ${places.repository}`);
  say(`Scripted model: ${model.url} (it only plays ${script})`);
  say();

  const ticket = [
    '--title',
    sampleTicket.title,
    '--description-file',
    file('ticket.md', sampleTicket.description),
    '--priority',
    String(sampleTicket.priority),
  ];
  const council = ['--depth', 'full', '--model', 'scripted/alpha', '--council', 'scripted/beta'];
  const gates = ['--answers', file('answers.json', sampleAnswers), '--approve', 'all', '--end', 'close'];
  const run = await drive([
    'run',
    '--repo',
    places.repository,
    '--key',
    'demo',
    ...ticket,
    ...council,
    ...gates,
    '--opencode-config',
    config,
  ]);
  if (stopping) {
    say(`\nStopped. Everything is in ${folder}`);
    return 130;
  }
  const facts = await gatherFacts({ folder, ...places, base, before });
  const seconds = Math.round((Date.now() - started) / 100) / 10;
  const checks = run === 0 ? await checkDemo(facts) : [];
  const ok = run === 0 && facts.report?.status === 'COMPLETED' && checks.every((check) => check.ok);
  if (options.json) console.log(JSON.stringify(summary(facts, checks, seconds, ok), undefined, 2));
  else printSummary(facts, checks, seconds);
  if (run !== 0) console.error(`\nThe ticket did not get to its end: "beadsmith run" ended with ${run}. Everything is in ${folder}`);
  return ok ? 0 : 1;
}

/** A finished ticket alone shows little: a second one waits for a person, with a model that knows an answer to anything. */
async function open() {
  await installEditor();
  const repository = join(folder, 'stockroom');
  const model = await startModel(['--generic', '--log', join(folder, 'requests-open.ndjson')]);
  const config = writeConfig('opencode-open.json', model.url);
  const ticket = ['--key', 'demo-waits', '--title', 'List low stock first', '--depth', 'solo', '--model', 'scripted/alpha'];
  say('\nA second ticket, up to its first question:');
  await drive(['run', '--repo', repository, ...ticket, '--approve', 'none', '--opencode-config', config]);
  await openDemo({
    repository,
    folder,
    settings: {
      'beadsmith.mainImplementer': 'scripted/alpha',
      'beadsmith.opencode.path': opencodeBinary(),
      'beadsmith.opencode.configFile': config,
      'workbench.startupEditor': 'none',
      'workbench.secondarySideBar.defaultVisibility': 'hidden',
      'chat.disableAIFeatures': true,
    },
    pictures: [
      {
        name: 'waiting',
        unfold: [/Needs Input/, /STOCK-2/],
        row: /Branch.*STOCK-2/,
        command: 'Beadsmith: Open Interview',
        page: 'interview',
      },
      {
        name: 'finished',
        unfold: [/^\s*Done/, /STOCK-1/],
        row: /Beads.*4 of 4/,
        command: 'Beadsmith: Open Ticket',
        choose: 'STOCK-1',
        page: 'ticket',
      },
    ],
    exit: options.exit,
    say,
  });
}

/** `demo` alone needs neither an editor nor a browser. */
function installEditor() {
  const child = spawn(process.execPath, [join(root, '.build', 'setup.mjs'), '--for', 'test'], {
    stdio: [options.json ? 2 : 'inherit', options.json ? 2 : 'inherit', 'inherit'],
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => (code === 0 ? done() : fail(new Error('The editor could not be installed.'))));
  });
}

function writeConfig(name, url) {
  writeFileSync(join(folder, name), JSON.stringify(providerConfig(url), undefined, 2));
  return join(folder, name);
}

function summary(facts, checks, seconds, ok) {
  const { report, commits } = facts;
  const evidence = (report?.evidence ?? []).map(({ of, command, exitCode, durationMs }) => ({ of, command, exitCode, durationMs }));
  return {
    ok,
    ticket: report?.ticket ?? null,
    status: report?.status ?? null,
    folder,
    repository: facts.repository,
    worktree: report?.worktree ?? null,
    branch: report?.branch ?? null,
    commits,
    evidence,
    pullRequest: report?.pullRequest?.location ?? null,
    requests: facts.requests.length,
    seconds,
    checks,
  };
}

function printSummary(facts, checks, seconds) {
  const { report, commits } = facts;
  say('\n── the demo ────────────────────────────────────────────');
  say(`Ticket        ${report?.ticket ?? '?'}  ${report?.status ?? 'unknown'}`);
  say(`Worktree      ${report?.worktree ?? 'none'}`);
  say(`Branch        ${report?.branch ?? 'none'}`);
  say('Commits');
  for (const { sha, subject, iteration } of commits)
    say(`  ${sha.slice(0, 10)}  ${subject}${iteration && iteration !== '1' ? `  (iteration ${iteration})` : ''}`);
  say('Evidence (what the engine ran itself)');
  for (const { of, command, exitCode } of report?.evidence ?? []) say(`  ${of}: ${command} → exit ${exitCode}`);
  say(`Pull request  ${report?.pullRequest?.location ?? 'none'}`);
  say(`Model calls   ${facts.requests.length} requests, in ${facts.log}`);
  say(`Time          ${seconds} s`);
  say('Checks');
  for (const { ok, name, detail } of checks) say(`  ${ok ? '✔' : '✘'} ${name}${detail ? `: ${detail}` : ''}`);
  say(`\nEverything is in ${folder}`);
}

function startModel(how) {
  const numbers = ['--latency', options.latency, '--rate', options.rate];
  const args = [join(root, 'dist', 'scriptedModel.js'), ...how, ...numbers, '--with-parent'];
  const child = keep(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], detached: true }));
  return new Promise((done, fail) => {
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += chunk;
      if (out.includes('\n')) done(JSON.parse(out.split('\n')[0]));
    });
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`The scripted model did not start (exit ${code}).`)));
  });
}

function drive(args) {
  const child = keep(
    spawn(process.execPath, [cli, ...args], { stdio: ['ignore', options.json ? 2 : 'inherit', 'inherit'], detached: true }),
  );
  child.passSignals = true;
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code, signal) => done(code ?? signal));
  });
}

function keep(child) {
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function workFolder() {
  if (!existsSync(cli)) {
    console.error('dist/cli.js is missing. Run: npm run build');
    process.exit(1);
  }
  if (options.dir === undefined) return realpathSync(mkdtempSync(join(tmpdir(), 'beadsmith-demo-')));
  const chosen = resolve(options.dir);
  mkdirSync(chosen, { recursive: true });
  if (readdirSync(chosen).length > 0) {
    console.error(`${chosen} is not empty. Choose another folder.`);
    process.exit(2);
  }
  return realpathSync(chosen);
}
