import '../base/page.css';
import './ticket.css';
import './findings/findings.css';
import './lists.css';
import './tables.css';
import { ticketPage } from '../../src/protocol/pages/ticket.ts';
import { startPage } from '../base/page.tsx';
import { TicketView } from './TicketView.tsx';

startPage({ contract: ticketPage, Page: TicketView });
