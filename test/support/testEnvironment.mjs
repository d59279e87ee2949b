import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Types are stripped and code is compiled once for all runs. Not where coverage is measured: compiled code
// that comes from a cache is counted less exactly.
if (!process.env.NODE_V8_COVERAGE) enableCompileCache(join(import.meta.dirname, '../../.cache/compiled'));
// Tests run commands without a sandbox, as machines without bubblewrap do, unless they ask for one: what they
// measure is the same everywhere.
process.env.BEADSMITH_SANDBOX ??= 'off';
process.env.BEADSMITH_UNATTENDED_WITHOUT_SANDBOX ??= '1';
// What scripted answers take says nothing of real tickets, and is not to be in the estimates of the person
// who runs the tests.
process.env.BEADSMITH_SCRIPTED ??= '1';
