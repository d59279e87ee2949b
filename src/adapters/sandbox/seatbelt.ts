import { join } from 'node:path';
import type { SandboxPolicy, Program, Sandbox } from '../../engine/ports/sandboxPort.ts';
import { sandboxEnvironment } from './environments.ts';
import { type Places, placesOf } from './places.ts';
import { makePrivateFolder } from '../system/files.ts';

/**
 * macOS: a profile for `sandbox-exec`, tested as a text and never run (docs/decisions/105-the-sandbox.md).
 */
export class Seatbelt implements Sandbox {
  readonly kind = 'seatbelt';
  readonly #program: string;
  readonly #commonDir: string;

  constructor(program: string, commonDir: string) {
    this.#program = program;
    this.#commonDir = commonDir;
  }

  async wrap({ program, args, env }: Program, policy: SandboxPolicy): Promise<Program> {
    for (const name of ['home', 'tmp']) await makePrivateFolder(join(policy.folder, name));
    const places = await placesOf(policy, { commonDir: this.#commonDir, env });
    const tmp = join(policy.folder, 'tmp');
    const own = sandboxEnvironment(env, { home: join(policy.folder, 'home'), writable: places.readWrite });
    return {
      program: this.#program,
      args: [
        '-p',
        seatbeltProfile({ ...places, readWrite: [...places.readWrite, tmp] }, policy.network),
        program,
        ...args,
      ],
      // macOS has no other `/tmp`: tools go to the sandbox's.
      env: { TMPDIR: tmp, ...own },
    };
  }
}

/** Denies what isn't named, and the last match wins. A process sees and signals only its own sandbox's. */
export function seatbeltProfile(
  { readOnly, readWrite, hidden }: Pick<Places, 'readOnly' | 'readWrite' | 'hidden'>,
  network: SandboxPolicy['network'],
): string {
  const paths = (list: readonly string[]): string => list.map((path) => `(subpath ${quote(path)})`).join(' ');
  const rule = (action: string, what: string, list: readonly string[]): string[] =>
    list.length === 0 ? [] : [`(${action} ${what} ${paths(list)})`];
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-exec process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    '(allow ipc-posix*)',
    '(allow pseudo-tty)',
    '(allow file-ioctl (subpath "/dev"))',
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
    '(allow file-read-metadata)',
    `(allow file-read* (literal "/") ${paths(system)})`,
    '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (regex #"^/dev/(tty|ptmx|fd/)"))',
    ...rule('allow', 'file-read*', readOnly),
    ...rule('deny', 'file-read* file-write*', hidden),
    ...rule('allow', 'file-read* file-write*', readWrite),
    ...(network === 'host'
      ? ['(allow network*)', '(allow mach-lookup (global-name "com.apple.dnssd.service"))']
      : [
          '(allow network* (local ip "localhost:*"))',
          `(allow network* (remote unix-socket ${paths(readWrite)}))`,
        ]),
  ].join('\n');
}

const system = [
  '/usr /bin /sbin /System /Library/Developer /Library/Frameworks /Library/Java',
  '/Applications/Xcode.app /opt /nix /dev /private/etc/ssl /private/etc/hosts',
  '/private/etc/resolv.conf /private/etc/localtime /private/etc/protocols /private/etc/services',
  '/private/var/db/timezone /private/var/db/dyld /private/var/select',
].flatMap((line) => line.split(' '));

/** A line feed can't be in a repository's path (PATH_UNUSABLE). */
function quote(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
