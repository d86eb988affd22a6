// The classifier of the npm package llm_guardrail as a webhook guard: node llm-guardrail.mjs PORT FOLDER, where it is installed.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [port, folder] = process.argv.slice(2);
const { checkInjection } = await import(
  pathToFileURL(join(folder, 'node_modules/llm_guardrail/index.js')).href
);

createServer(async (request, response) => {
  const { texts } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const checked = await Promise.all(texts.map(({ text }) => checkInjection(text)));
  const finds = checked.flatMap(({ detected }, text) => (detected ? [{ type: 'INJECTION', text }] : []));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(finds.length > 0 ? { verdict: 'block', finds } : { verdict: 'pass' }));
}).listen(Number(port), '127.0.0.1');
