import { approvalGate } from '../shared/gate/approvalGate.ts';
import { interviewDocument } from './interviewDocument.ts';

/** WAITING_INTERVIEW_APPROVAL. */
export const approveInterview = approvalGate(interviewDocument);
