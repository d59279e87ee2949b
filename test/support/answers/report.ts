import { carelessAnswers, carelessReport } from './carelessCorpus.ts';
import { corpus, report } from './corpus.ts';

// What becomes of every answer of both corpora: node test/support/answers/report.ts [--all]
const { table, complete, readAtOnce } = report(corpus());
process.stdout.write(`${table}\n${readAtOnce} of ${complete} whole documents were read at once\n\n`);
const careless = carelessReport(carelessAnswers());
process.stdout.write(`${careless.table}\n`);
if (process.argv.includes('--all'))
  process.stdout.write(
    `${['wrongly accepted:', ...careless.wronglyAccepted, 'asked again:', ...careless.unread].join('\n')}\n`,
  );
