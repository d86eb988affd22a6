// One base URL for an organization: `model` chooses the neuron, and a neuron that refuses the key is one that does not exist.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import type { Answer } from './support/call.ts';
import { readEntry } from './support/log-entry.ts';
import { bytesOf, MESSAGES, says, startOrganization } from './support/organization-stack.ts';
import { SOME_MODES, type Stack } from './support/stack.ts';

describe.each(SOME_MODES)("an organization's URL in %s transfer", (transferMode) => {
  let run: Awaited<ReturnType<typeof startOrganization>>;
  let stack: Stack;
  let key: string;
  let narrow: string;
  let foreign: string;
  let chat: typeof run.chat;
  let get: typeof run.get;
  beforeAll(async () => {
    run = await startOrganization(transferMode);
    ({ stack, key, narrow, foreign, chat, get } = run);
  });
  afterAll(() => stack?.stop());

  it.each([
    ['support', 'support'],
    ['acme/support', 'support'],
    ['gpt-4.1-mini', 'support'],
    ['Meta/Llama 3', 'support'],
    ['claude-sonnet-5', 'coder'],
    ['claude-', 'coder'],
    ['claude-opus-4', 'opus'],
    ['open', 'open'],
  ])('%s reaches %s, and the answer has the name that was sent', async (model, neuron) => {
    for (let round = 0; round < 2; round += 1) {
      const answer = await chat(model);
      expect(answer.status).toBe(200);
      expect(answer.json()).toMatchObject({ model, choices: [{ message: { content: neuron } }] });
    }
  });

  it.each([
    ['of another organization', 'shop/support'],
    ['in other letters', 'Support'],
    ['in other letters, of a name', 'GPT-4.1-mini'],
    ['that takes tokens alone', 'pages'],
    ['that takes tokens alone, by a name', 'tokens-only'],
    ['that takes other addresses', 'inside'],
    ['with a path in it', '../acme/support'],
    ['with an encoded path in it', 'acme%2fsupport'],
    ['with full-width letters', 'ｓupport'],
    ['with a combining mark', 'suppo\u0301rt'],
    ['with a line end', 'support\n'],
    ['with a control character', 'sup\u0000port'],
    ['of ten thousand characters', 'a'.repeat(10_000)],
    ['of the key of another item', 'support#META'],
    ['with a second organization', 'acme/acme/support'],
    ['that is empty', ''],
    ['that is a *', '*'],
  ])('a neuron %s is one that does not exist, to the byte', async (_what, model) => {
    const unknown = await chat('nobody');
    expect(unknown.status).toBe(404);
    expect(unknown.json()['error']).toMatchObject({ code: 'model_not_found', param: 'model' });
    expect(bytesOf(await chat(model))).toBe(bytesOf(unknown));
  });

  it('a key of other neurons finds no more than a key that there is no neuron for', async () => {
    expect((await chat('coder', narrow)).status).toBe(200);
    const unknown = bytesOf(await chat('nobody', narrow));
    for (const model of ['support', 'acme/support', 'gpt-4.1-mini', 'inside', 'pages', 'empty']) {
      expect(bytesOf(await chat(model, narrow))).toBe(unknown);
    }
    // The longer wildcard is of a neuron that does not exist for this key.
    expect((await chat('claude-opus-4', narrow)).json()).toMatchObject({
      choices: [{ message: { content: 'coder' } }],
    });
  });

  it('a model that is no text is 400', async () => {
    for (const model of [undefined, null, 7, {}, ['support']]) {
      const answer = await chat(model);
      expect(answer.status).toBe(400);
      expect(answer.json()['error']).toMatchObject({ param: 'model' });
    }
  });

  it('takes a live key of the organization and nothing else, whatever it is asked for', async () => {
    const answers = [
      await chat('support', foreign),
      await chat('nobody', foreign),
      await chat('open', 'a.b.c'),
      await chat('open', `${key}x`),
      await stack.call('/v1/acme/chat/completions', { json: { model: 'open', messages: MESSAGES } }),
      await stack.call('/v1/nobody/chat/completions', {
        json: { model: 'open', messages: MESSAGES },
        headers: { authorization: `Bearer ${key}` },
      }),
      await stack.call('/v1/acme/chat/completions', {
        json: { model: 'support', messages: MESSAGES },
        headers: { authorization: [`Bearer ${key}`, `Bearer ${key}`] },
      }),
      await get('models', foreign),
      await get('models/support', foreign),
    ];
    for (const answer of answers) {
      expect(bytesOf(answer)).toBe(bytesOf(answers[0] as Answer));
      expect(answer.status).toBe(401);
      expect(answer.json()['error']).toMatchObject({ code: 'invalid_api_key' });
    }
  });

  it('says what is wrong with a neuron that the key may call, as its own URL does', async () => {
    const answer = await chat('empty');
    expect(answer.status).toBe(404);
    expect(answer.json()['error']).toMatchObject({ message: 'This neuron has no deployed version.' });
  });

  it('runs a version with its preview key, and says the same of a wrong key as of none', async () => {
    const preview = (
      await stack.operate(['versions', 'key', 'acme/support', 'v1', '--new', '--quiet'])
    ).trim();
    const with_ = (model: string, previewKey: string, bearer = key) =>
      chat(model, bearer, { 'x-preview-key': previewKey });
    expect((await with_('support@v1', preview)).json()).toMatchObject({
      model: 'support@v1',
      choices: [{ message: { content: 'support' } }],
    });
    expect((await with_('gpt-4.1-mini@v1', preview)).status).toBe(200);
    const missing = await chat('support@v1');
    expect(missing.status).toBe(404);
    expect(missing.json()['error']).toMatchObject({ code: 'revision_not_found' });
    expect(bytesOf(await with_('support@v1', 'nrp_wrong'))).toBe(bytesOf(missing));
    expect(bytesOf(await with_('support@v9', preview))).toBe(bytesOf(missing));
    expect(bytesOf(await with_('support@v1', preview, narrow))).toBe(
      bytesOf(await chat('nobody@v1', narrow)),
    );
  });

  it('passes on the name that the caller chose, and the first on other routes; a cache keeps them apart', async () => {
    const own = () =>
      stack.call('/acme/proxy', { json: { input: 'Other' }, headers: { authorization: `Bearer ${key}` } });
    const called: string[] = [];
    for (const send of [() => chat('second'), () => chat('any-thing'), () => chat('proxy'), own]) {
      const id = String((await send()).headers['x-execution-id']);
      const { modelCalls } = await readEntry<{ readonly modelCalls: readonly { readonly model: string }[] }>(
        stack,
        id,
      );
      called.push(modelCalls.map(({ model }) => model).join());
    }
    expect(called).toEqual(['second', 'any-thing', 'first', 'first']);
    expect((await chat('second')).headers['x-cache']).toBe('exact');
  });

  it('refuses a name of another neuron, and says whose it is', async () => {
    const file = join(temporaryFolder(), 'settings.yaml');
    writeFileSync(
      file,
      `neuron: acme/late\naccess: { apiKey: true }\nmodels: [gpt-4.1-mini]\n${says('late')}`,
    );
    const { exitCode, stderr } = await stack.neuron(['apply', file, '--yes']);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('acme/support');
  });
});
