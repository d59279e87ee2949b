/** Whether an answer merely repeats the prompt: its title line, or the heads of its parts (LoopTroop 12.2). */
export function isPromptEcho(text: string): boolean {
  if (/^# Beadsmith task: /m.test(text)) return true;
  return /^## ticket_details$/m.test(text) && /^## relevant_files$/m.test(text);
}
