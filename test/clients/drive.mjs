// Runs cases through the clients for Node: both come as JSON, by the name of the client, and so do the outcomes.
import { text } from 'node:stream/consumers';
import * as openai from 'openai';
import * as helpers from 'openai/helpers/zod';
import * as openaiBefore from 'openai-6';
import * as helpersBefore from 'openai-6/helpers/zod';
import { aiSdk } from './ai-sdk.mjs';
import { langchain } from './langchain.mjs';
import { openaiClient } from './openai-client.mjs';
import { runCases } from './run-cases.mjs';

const CLIENTS = {
  'openai-7': () => openaiClient(openai, helpers),
  'openai-6': () => openaiClient(openaiBefore, helpersBefore),
  'ai-openai-chat': () => aiSdk('openai'),
  'ai-compatible': () => aiSdk('compatible'),
  langchain,
};

const asked = Object.entries(JSON.parse(await text(process.stdin)));
const outcomes = await Promise.all(
  asked.map(async ([name, cases]) => [name, await runCases(CLIENTS[name](), cases)]),
);
process.stdout.write(JSON.stringify(Object.fromEntries(outcomes)));
