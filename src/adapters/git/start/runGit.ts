import { GitPluginError, simpleGit } from 'simple-git';

/** One start of git, complete: nothing is taken from the process that starts it. */
export interface GitStart {
  readonly binary: string;
  readonly cwd: string;
  readonly args: readonly string[];
  /** `-c` settings. */
  readonly config: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Also returns the raw output, for content that may not be text. */
  readonly bytes?: boolean;
  /** Writes settings as a person had them, whatever their names and values are. */
  readonly anySetting?: boolean;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes?: Uint8Array;
}

/** Starts git and waits for its end. Throws when it can't be started or takes too long. */
export async function runGit({
  binary,
  cwd,
  args,
  config,
  env,
  input,
  bytes,
  anySetting,
}: GitStart): Promise<GitOutput> {
  let code = -1;
  let stderr = '';
  const chunks: Buffer[] = [];
  // One instance per call: a failed call empties its queue, and settings and input belong to one call.
  const git = simpleGit({
    baseDir: cwd,
    binary,
    config: [...config],
    unsafe: anySetting === true ? { ...unsafe, ...unsafeSettings } : unsafe,
    allowEnvironment: Object.keys(env),
    completion: { onClose: true, onExit: false },
    timeout: { block: 600_000 },
    trimmed: false,
    // Never an error for simple-git, which doesn't report the exit code: for many commands 1 is an answer.
    errors: (error, result) => {
      code = result.exitCode;
      stderr = Buffer.concat(result.stdErr).toString('utf8');
      return error instanceof GitPluginError ? error : undefined;
    },
    ...(input === undefined ? {} : { input: () => input }),
  }).env(env);
  git.outputHandler((_command, stdout) => {
    if (bytes) stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    // simple-git waits another 50 ms if a command printed nothing; an empty chunk of output avoids that.
    setImmediate(() => stdout.emit('data', Buffer.alloc(0)));
  });
  const stdout = await git.raw([...args]);
  return { code, stdout, stderr, ...(bytes ? { bytes: Buffer.concat(chunks) } : {}) };
}

/** simple-git refuses these by default, because they could be untrusted input. Here they are constants. */
const unsafe = {
  allowUnsafeHooksPath: true,
  allowUnsafeFsMonitor: true,
  allowUnsafePager: true,
  allowUnsafeConfigEnvCount: true,
  // Only to set them to nothing, and to a program that fails.
  allowUnsafeFilter: true,
  allowUnsafeMergeDriver: true,
  allowUnsafeProtocolOverride: true,
  allowUnsafeAskPass: true,
  allowUnsafeEditor: true,
  allowUnsafeCustomBinary: true,
};

/** The same of settings that are only written, and take effect for nothing that is started here. */
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
