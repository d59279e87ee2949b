import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './server.ts';

/** The language server as a process: the editor starts it, and speaks to it over what it was started with. */
serve(createConnection(ProposedFeatures.all));
