import type { ticketPage } from '../../../src/protocol/pages/ticket.ts';
import type { PageTools } from '../../base/page.tsx';

export type Contract = typeof ticketPage;
export type Tools = PageTools<Contract>;
