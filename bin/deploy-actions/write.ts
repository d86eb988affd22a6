// `node bin/deploy-actions/write.ts`: writes docs/deploy-actions.json. test/docs/deploy-actions.test.ts compares it with the templates.
import { writeFileSync } from 'node:fs';
import { ACTIONS_BY_TYPE } from './actions-by-type.ts';
import { deployPolicy } from './policy.ts';

const file = new URL('../../docs/deploy-actions.json', import.meta.url);
const text = JSON.stringify(deployPolicy(Object.keys(ACTIONS_BY_TYPE)), undefined, 2);
// The formatter puts a list of one on one line.
writeFileSync(file, `${text.replaceAll(/\[\n\s+("[^"]*")\n\s+\]/g, '[$1]')}\n`);
