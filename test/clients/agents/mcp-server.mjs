// A server of the Model Context Protocol over standard input, with one tool: what a coding agent calls in a namespace.
import { createInterface } from 'node:readline';

const TOOL = {
  name: 'measure',
  description: 'Tells the temperature of a city.',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};

const ANSWERS = {
  initialize: ({ protocolVersion }) => ({
    ...{ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'probe', version: '1.0.0' } },
  }),
  'tools/list': () => ({ tools: [TOOL] }),
  'tools/call': ({ arguments: { city } }) => ({
    content: [{ type: 'text', text: `${city} has 21 degrees` }],
  }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const result = ANSWERS[method]?.(params ?? {});
  const outcome =
    result === undefined ? { error: { code: -32601, message: 'Method not found' } } : { result };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n`);
}
