import '../base/page.css';
import './approval.css';
import './form/form.css';
import './beads/beads.css';
import { approvalPage } from '../../src/protocol/pages/approval.ts';
import { startPage } from '../base/page.tsx';
import { ApprovalView } from './ApprovalView.tsx';

startPage({ contract: approvalPage, Page: ApprovalView });
