// `npm run example:browser`: the example page on port 8080 and its issuer of tokens on port 8081, until Ctrl-C or npm's end.
import { join } from 'node:path';
import { watchNpm } from '../../adapters/platform/parent-process.ts';
import { startIssuer } from './issuer.ts';
import { startPages } from './pages.ts';

watchNpm(() => process.exit(0));
const issuer = await startIssuer(8081);
const pages = await startPages(8080, join(import.meta.dirname, '../../client/dist/index.js'));
process.stdout.write(`issuer ${issuer.url}\nopen ${pages.url}\n`);
