// What a page runs: OpenAI's client in its build for browsers, with every header that it can send.
import * as openai from 'openai';
import * as helpers from 'openai/helpers/zod';
import { openaiClient } from './openai-client.mjs';
import { runCases } from './run-cases.mjs';

const options = { dangerouslyAllowBrowser: true, organization: 'org-1', project: 'proj-1' };
const each = { timeout: 60_000 };

globalThis.runCases = (cases) => runCases(openaiClient(openai, helpers, options, each), cases);
