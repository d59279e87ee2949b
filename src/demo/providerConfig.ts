const provider = 'scripted';

/** The scripted models by their own names. */
export const scriptedModels = ['alpha', 'beta'];

/** The scripted models as members of a council are named. */
export const scriptedMembers = scriptedModels.map((model) => `${provider}/${model}`);

/** An OpenCode configuration that knows the scripted models of these names, and no other provider. */
export function providerConfig(
  baseURL: string,
  names: readonly string[] = scriptedModels,
): Readonly<Record<string, unknown>> {
  const models = Object.fromEntries(names.map((model) => [model, {}]));
  const name = 'Scripted model: recorded answers, no AI';
  return {
    provider: {
      [provider]: { npm: '@ai-sdk/openai-compatible', name, options: { baseURL, apiKey: provider }, models },
    },
    enabled_providers: [provider],
  };
}
