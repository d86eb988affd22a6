// The classifier of the npm package llm_guardrail as a webhook guard: node llm-guardrail.mjs PORT.
import { createServer } from 'node:http';
import { checkInjection } from 'llm_guardrail';

createServer(async (request, response) => {
  const { texts } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const checked = await Promise.all(texts.map(({ text }) => checkInjection(text)));
  const finds = checked.flatMap(({ detected }, text) => (detected ? [{ type: 'INJECTION', text }] : []));
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(finds.length > 0 ? { verdict: 'block', finds } : { verdict: 'pass' }));
}).listen(Number(process.argv[2]), '127.0.0.1');
