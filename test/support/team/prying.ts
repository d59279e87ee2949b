/** What a hostile command looks for, and what it may not change. */
export interface Prey {
  /** In files and environments of others, by what has it. */
  readonly marks: Readonly<Record<string, string>>;
  /** A port of the database. */
  readonly port: number;
  /** Of another ticket. */
  readonly ticket: string;
  readonly places: readonly string[];
}

/** A module that prints one line for each thing that it reached. */
export function prying(prey: Prey): string {
  // Backwards, so that it doesn't find itself.
  const marks = Object.entries(prey.marks).map(([name, mark]) => [name, mark.split('').reverse().join('')]);
  return [`const prey = ${JSON.stringify({ ...prey, marks })};`, program].join('\n');
}

const program = String.raw`
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';

const found = new Set();
const marks = prey.marks.map(([name, mark]) => [name, mark.split('').reverse().join('')]);
const look = (text, where) => {
  for (const [name, mark] of marks) if (text.includes(mark)) found.add('READ ' + name + ' in ' + where);
};
const read = (path) => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
};
const left = new Set(['/proc', '/sys', '/dev', '/usr', '/opt', '/lib', '/lib64', '/nix', '/work']);
// Big, and shown to every command.
const big = new Set(['node_modules', 'objects', '.pyenv', '.rustup', '.cargo', '.nvm', 'go']);
const mine = process.cwd();
const walk = (folder, depth) => {
  if (left.has(folder) || folder === mine || depth > 12) return;
  let entries = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !big.has(entry.name)) walk(path, depth + 1);
    else if (entry.isFile() && statSync(path).size < 65_536) look(read(path), 'files');
  }
};
look(JSON.stringify(process.env), 'the environment');
for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  look(read('/proc/' + pid + '/environ') + read('/proc/' + pid + '/cmdline'), 'processes');
  try {
    walk(join('/proc', pid, 'root', dirname(mine)), 8);
    for (const fd of readdirSync('/proc/' + pid + '/fd')) look(readlinkSync('/proc/' + pid + '/fd/' + fd), 'open files');
  } catch {}
}
for (const place of prey.places) walk(place, 0);
if (process.env.PRYING !== 'places') walk('/', 0);

const attempt = (name, work) => {
  try {
    work();
    found.add('CHANGED ' + name);
  } catch {}
};
const git = (...args) => execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim();
let common = '';
try {
  common = git('rev-parse', '--path-format=absolute', '--git-common-dir');
} catch {}
const hash = 'HEAD';
for (const ref of ['refs/heads/ticket/' + prey.ticket, 'refs/beadsmith/' + prey.ticket + '/worktree/branch', 'refs/beadsmith/' + prey.ticket + '/stolen/1'])
  attempt('a ref of another ticket', () => git('update-ref', ref, hash));
attempt('the remote', () => git('push', 'origin', 'HEAD:refs/beadsmith/' + prey.ticket + '/stolen/2'));
attempt('the settings of the clone', () => git('config', '--local', 'core.sshCommand', 'evil'));
for (const path of [join(common, 'hooks', 'post-checkout'), join(common, 'worktrees', prey.ticket, 'stolen'), join(common, 'refs', 'beadsmith', 'stolen'), join(dirname(mine), prey.ticket, 'stolen')])
  attempt('files of another ticket', () => writeFileSync(path, 'stolen'));

const socket = connect(prey.port, '127.0.0.1');
const end = () => {
  socket.destroy();
  for (const line of found) console.log(line);
  console.log('LOOKED EVERYWHERE');
};
socket.setTimeout(1000, end);
socket.on('connect', () => (found.add('REACHED the database'), end()));
socket.on('error', end);
`;
