import './ticket.css';
import { ticketPage, TicketTexts } from '../../src/protocol/pages/ticket.ts';
import { startPage } from '../base/page.tsx';
import { TicketView } from './TicketView.tsx';

startPage({ contract: ticketPage, texts: TicketTexts, Page: TicketView });
