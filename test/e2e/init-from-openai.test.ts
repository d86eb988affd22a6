// `neuron init --from-openai`: three answers, and an app of OpenAI's own client is answered.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';

describe.runIf(isLocal)('neuron init --from-openai', () => {
  let stack: Stack;
  const folder = temporaryFolder();
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack?.stop());

  const init = (target: string, input: string) =>
    stack.neuron(['init', join(folder, target), '--from-openai'], { input });

  it('ends with a call that is answered, and with what an app needs', async () => {
    const { exitCode, stdout, stderr } = await init('first', 'shop\ngpt-4.1-mini, gpt-4o\n\n');
    expect(exitCode, stderr).toBe(0);
    const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: apiKey } = Object.fromEntries(
      stdout.split('\n').flatMap((line) => (/^OPENAI/.test(line) ? [line.split('=', 2)] : [])),
    );
    expect(baseURL).toBe(`${stack.url}/v1/shop`);
    expect(stdout).toContain('Say hello in one short sentence.');
    const app = new OpenAI({ apiKey: String(apiKey), baseURL: String(baseURL), maxRetries: 0 });
    for (const model of ['gpt-4.1-mini', 'gpt-4o']) {
      const messages = [{ role: 'user' as const, content: `Hello ${model}` }];
      const { choices } = await app.chat.completions.create({ model, messages });
      expect(choices[0]?.message.content).toContain(`Hello ${model}`);
    }
    const other = app.chat.completions.create({ model: 'o3', messages: [{ role: 'user', content: 'Hi' }] });
    await expect(other).rejects.toMatchObject({ status: 404 });
  });

  it.each([
    ['a name that is none', 'My Shop\n\n\n', 'may have only'],
    ['models that are none', 'store\ngpt 4\n\n', 'is no name of a model'],
    ['an organization that is there', 'shop\n\n\n', 'is there already. Nothing was written.'],
  ])('writes nothing for %s', async (_what, input, text) => {
    const { exitCode, stderr } = await init('third', input);
    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(text);
    expect(() => readFileSync(join(folder, 'third/neurons.yaml'))).toThrow('ENOENT');
  });
});
