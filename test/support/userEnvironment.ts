import { join } from 'node:path';
import { cacheRoot } from '../../src/adapters/system/cacheRoot.ts';

/** Without the login, configuration and git settings of the user who runs the tests. */
export function userEnvironment(home: string): Record<string, string> {
  const { PATH, LANG } = process.env;
  return {
    BEADSMITH_SANDBOX: process.env['BEADSMITH_SANDBOX'] ?? 'off',
    PATH: PATH ?? '',
    LANG: LANG ?? 'C.UTF-8',
    HOME: home,
    // Set-up installed OpenCode's plugin package there: 60 MB for each server otherwise.
    BEADSMITH_CACHE: cacheRoot(process.env),
    XDG_CONFIG_HOME: join(home, 'config'),
    SHELL: '/bin/sh',
  };
}
