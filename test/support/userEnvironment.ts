import { join } from 'node:path';
import { cacheRoot } from '../../src/adapters/system/cacheRoot.ts';

/**
 * What programs of a user with this home run with, and a test may not take from the user who runs it: login,
 * configuration and git settings.
 */
export function userEnvironment(home: string): Record<string, string> {
  const { PATH, LANG } = process.env;
  return {
    BEADSMITH_SANDBOX: process.env['BEADSMITH_SANDBOX'] ?? 'off',
    PATH: PATH ?? '',
    LANG: LANG ?? 'C.UTF-8',
    HOME: home,
    // OpenCode installs the package of its plugins there: set-up did, and a home of its own would mean 60 MB
    // from a registry for each server.
    BEADSMITH_CACHE: cacheRoot(process.env),
    XDG_CONFIG_HOME: join(home, 'config'),
    SHELL: '/bin/sh',
  };
}
