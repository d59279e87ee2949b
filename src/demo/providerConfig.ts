const provider = 'scripted';

export const scriptedModels = ['alpha', 'beta'];

/** As members of a council. */
export const scriptedMembers = scriptedModels.map((model) => `${provider}/${model}`);

/** OpenCode configuration with the scripted models only. */
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
