import '../base/page.css';
import './interview.css';
import { interviewPage } from '../../src/protocol/pages/interview.ts';
import { startPage } from '../base/page.tsx';
import { InterviewView } from './InterviewView.tsx';

startPage({ contract: interviewPage, Page: InterviewView });
