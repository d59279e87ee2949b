import type { ticketPage } from '../../src/protocol/pages/ticket.ts';
import type { TicketTexts } from '../../src/protocol/pages/ticketTexts.ts';
import type { PageTools } from '../base/page.tsx';

export type Contract = typeof ticketPage;
export type Tools = PageTools<Contract, keyof TicketTexts>;
