import { Readable } from 'node:stream';
import { GitPluginError, simpleGit } from 'simple-git';

export interface GitStart {
  readonly binary: string;
  readonly cwd: string;
  readonly args: readonly string[];
  readonly config: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly bytes?: boolean;
  readonly anySetting?: boolean;
  /** The environment has the person's own programs for connections. */
  readonly connects?: boolean;
  /** Ends it. */
  readonly signal?: AbortSignal;
  /** Milliseconds without a word after which it is ended. */
  readonly silentMs?: number;
}

/** Said of a git that was ended because it was silent. */
export const silentReason = 'block timeout reached';
const usualSilentMs = 600_000;
/** Milliseconds that an ended git has to close its streams. */
const closingMs = 1_000;

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes?: Uint8Array;
}

/** Throws when git can't be started or takes too long. */
export async function runGit({
  binary,
  cwd,
  args,
  config,
  env,
  input,
  bytes,
  anySetting,
  connects,
  signal,
  silentMs = usualSilentMs,
}: GitStart): Promise<GitOutput> {
  let code = -1;
  let stderr = '';
  const chunks: Buffer[] = [];
  // One instance per call: a failed call empties its queue.
  const git = simpleGit({
    baseDir: cwd,
    binary,
    config: [...config],
    unsafe: {
      ...unsafe,
      ...(connects === true ? unsafePrograms : {}),
      ...(anySetting === true ? unsafeSettings : {}),
    },
    allowEnvironment: Object.keys(env),
    completion: { onClose: true, onExit: false },
    timeout: { block: silentMs },
    trimmed: false,
    ...(signal && { abort: signal }),
    // Never an error for simple-git, which hides the exit code: 1 is often an answer.
    errors: (error, result) => {
      code = result.exitCode;
      stderr = Buffer.concat(result.stdErr).toString('utf8');
      return error instanceof GitPluginError ? error : undefined;
    },
    ...(input === undefined ? {} : { input: () => input }),
  }).env(env);
  git.outputHandler((_command, stdout, words) => {
    // A program that it started, such as ssh, outlives it and keeps one open.
    const streams = [stdout, words].filter((stream) => stream instanceof Readable);
    const silence = setTimeout(() => {
      for (const stream of streams) stream.destroy();
    }, silentMs + closingMs);
    for (const stream of streams) {
      stream.on('data', () => silence.refresh());
      stream.once('close', () => {
        if (streams.every(({ destroyed }) => destroyed)) clearTimeout(silence);
      });
    }
    if (bytes) stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // simple-git waits 50 ms more if nothing was printed; an empty chunk avoids that.
    setImmediate(() => stdout.emit('data', Buffer.alloc(0)));
  });
  const stdout = await git.raw([...args]);
  return { code, stdout, stderr, ...(bytes ? { bytes: Buffer.concat(chunks) } : {}) };
}

/** simple-git refuses these as untrusted input; here they are constants. */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafePager: true,
  allowUnsafeConfigEnvCount: true,
  // Only set to nothing, or to a program that fails.
  allowUnsafeFilter: true,
  allowUnsafeMergeDriver: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeAskPass: true,
  allowUnsafeEditor: true,
  allowUnsafeCustomBinary: true,
};

/** GIT_SSH, GIT_SSH_COMMAND and GIT_PROXY_COMMAND of the person; no argument names such a program. */
const unsafePrograms = { allowUnsafeSshCommand: true, allowUnsafeGitProxy: true };

/** Settings that are only written, and affect nothing here. */
const unsafeSettings = {
  allowUnsafeAlias: true,
  allowUnsafeCommandBinaries: true,
  allowUnsafeConfigPaths: true,
  allowUnsafeCredentialHelper: true,
  allowUnsafeDiffExternal: true,
  allowUnsafeDiffTextConv: true,
  allowUnsafeGitProxy: true,
  allowUnsafeGpgProgram: true,
  allowUnsafeInclude: true,
  allowUnsafePack: true,
  allowUnsafeSshCommand: true,
  allowUnsafeSubmodule: true,
  allowUnsafeTemplateDir: true,
  allowUnsafeUrlRewrite: true,
};
