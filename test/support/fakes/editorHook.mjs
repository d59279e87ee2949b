// Outside an editor there is no `vscode`: what views import by that name is the fake one.
import { registerHooks } from 'node:module';

const fake = new URL('fakeEditor.ts', import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode' ? { url: fake, shortCircuit: true } : next(specifier, context),
});
