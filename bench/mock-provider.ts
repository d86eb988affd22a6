// The model provider of the benchmarks: an OpenAI-compatible server in its own process that always sends the same answer at once.
import { createServer } from 'node:http';

const BODY = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'mock-1',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'You said: Hello' } }],
  usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
});

const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': BODY.length });
    response.end(BODY);
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) process.send?.(address.port);
});
