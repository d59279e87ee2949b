import { nodeTooOld } from './nodeVersion.ts';

const tooOld = nodeTooOld(process.versions.node);
if (tooOld === undefined) {
  // Imported here: without Node's database, the rest can't be loaded or say why.
  const { keepCompiledCode } = await import('./compiledCode.ts');
  keepCompiledCode(process.env);
  const { startCli } = await import('./startCli.ts');
  await startCli();
} else {
  process.stderr.write(tooOld);
  process.exitCode = 1;
}
