import { parsePromptFile } from '../context/promptFile.ts';
import type { ToolPolicy } from '../domain/usage/promptPlan.ts';
import type { PromptSource } from '../engine/ports/ports.ts';

/** The system prompt of each tool policy's agent. */
export async function agentPrompts(prompts: PromptSource): Promise<Readonly<Record<ToolPolicy, string>>> {
  const body = async (policy: ToolPolicy): Promise<string> => {
    const name = `agent-${policy.replaceAll('_', '-')}`;
    return parsePromptFile(name, (await prompts.read(name)).text).body;
  };
  return {
    disabled: await body('disabled'),
    read_only: await body('read_only'),
    default: await body('default'),
    execution_setup_online: await body('execution_setup_online'),
  };
}
