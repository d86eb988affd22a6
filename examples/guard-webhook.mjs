// A guard of your own: it blocks every text with the word "falcon". Run: GUARD_SECRET=… node examples/guard-webhook.mjs
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const MAX_AGE_SECONDS = 300;

function isSigned({ 'x-neuron-timestamp': time = '', 'x-neuron-signature': signature = '' }, body) {
  const hmac = createHmac('sha256', process.env.GUARD_SECRET).update(`${time}.${body}`).digest('hex');
  const [given, wanted] = [Buffer.from(signature), Buffer.from(`v1=${hmac}`)];
  const isFresh = Math.abs(Date.now() / 1000 - Number(time)) < MAX_AGE_SECONDS;
  return isFresh && given.length === wanted.length && timingSafeEqual(given, wanted);
}

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  if (!isSigned(request.headers, body)) return response.writeHead(401).end();
  const { texts } = JSON.parse(body);
  const finds = texts.flatMap(({ text }, index) =>
    /falcon/i.test(text) ? [{ type: 'FALCON', text: index }] : [],
  );
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(finds.length > 0 ? { verdict: 'block', finds } : { verdict: 'pass' }));
}).listen(Number(process.env.PORT ?? 4200), '127.0.0.1');
