// Runs npm from inside a script that npm itself may have started.
import { spawn } from 'node:child_process';
import { basename } from 'node:path';

/**
 * `npm run` tells its children about the project it runs in. A nested install elsewhere must not believe that
 * is its own place.
 */
const aboutTheProject =
  /^npm_(package|lifecycle)_|^npm_config_(prefix|local_prefix|global_prefix|global|location|workspaces?|include|omit|only|production|save|dry_run|ignore_scripts)$/i;

export class CommandFailed extends Error {
  constructor(command, code, output) {
    super(`${command} ended with ${code}`);
    this.output = output;
  }
}

export function npm(args, folder) {
  const ourNpm = process.env['npm_execpath'];
  if (ourNpm && basename(ourNpm) === 'npm-cli.js') return run(process.execPath, [ourNpm, ...args], folder);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, folder);
}

/** Resolves when the command ends well; its output is kept for the error message and otherwise not shown. */
export function run(command, args, folder) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !aboutTheProject.test(name)));
  return new Promise((resolve, reject) => {
    // On Windows npm is a script, which only a shell can start. No argument here comes from outside this
    // folder.
    const shell = command.endsWith('.cmd');
    const child = spawn(command, args, { cwd: folder, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => reject(new CommandFailed(command, error.message, output)));
    child.on('close', (code, signal) =>
      code === 0
        ? resolve(output)
        : reject(
            new CommandFailed([basename(command), ...args].join(' '), signal ?? `exit code ${code}`, output),
          ),
    );
  });
}
