import { corpus, report } from './corpus.ts';

// Prints what becomes of every answer of the corpus, by style: node test/support/answers/report.ts
const { table, complete, readAtOnce } = report(corpus());
process.stdout.write(`${table}\n${readAtOnce} of ${complete} whole documents were read at once\n`);
