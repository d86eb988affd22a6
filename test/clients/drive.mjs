// Runs cases through one client, as its name on the command line says: cases come as JSON, and so do their outcomes.
import { text } from 'node:stream/consumers';
import { aiSdk } from './ai-sdk.mjs';
import { langchain } from './langchain.mjs';
import { openaiNode } from './openai-node.mjs';

const CLIENTS = {
  'openai-7': () => openaiNode('openai'),
  'openai-6': () => openaiNode('openai-6'),
  'ai-openai-chat': () => aiSdk('openai'),
  'ai-compatible': () => aiSdk('compatible'),
  langchain,
};

const client = await CLIENTS[process.argv[2]]();
const cases = JSON.parse(await text(process.stdin));
const outcomes = await Promise.all(
  cases.map(async ({ name, kind, ...options }) => {
    try {
      return [name, { ok: await client.kinds[kind](options) }];
    } catch (error) {
      return [name, { error: client.describe(error) }];
    }
  }),
);
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
