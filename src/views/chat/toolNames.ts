/** As package.json names them. */
export const toolNames = ['beadsmith_tickets', 'beadsmith_ticket', 'beadsmith_new_ticket'] as const;
export type ToolName = (typeof toolNames)[number];
