import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { serve } from './server.ts';

/** The process that the editor starts. */
serve(createConnection(ProposedFeatures.all));
