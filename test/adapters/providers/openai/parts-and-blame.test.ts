// Answers whose content is a list of parts, and what an error of the endpoint blames and says.
import { describe, expect, it } from 'vitest';
import { createOpenaiProvider } from '../../../../adapters/providers/openai/index.ts';
import { userMessage } from '../../../../core/conversation/conversation.ts';
import { createMemoryClock } from '../../../support/memory/clock.ts';
import { createMemorySecretReader } from '../../../support/memory/secrets.ts';
import { createFakeHttp, type FakeAnswer, readOpenaiFixture } from '../fake-http.ts';

const ok = readOpenaiFixture('chat-completion');

function call(answers: readonly FakeAnswer[]) {
  const { http, openHttp } = createFakeHttp(...answers);
  const secrets = createMemorySecretReader(new Map());
  const ports = { secrets, http, openHttp, clock: createMemoryClock(0) };
  const settings = { type: 'openai', baseUrl: 'https://api.openai.com/v1' } as const;
  const provider = createOpenaiProvider(settings, { organizationId: 'org-1', ...ports });
  const { signal } = new AbortController();
  const request = { model: 'm-1', system: [], messages: [userMessage('Hello')], maxTokens: 5, signal };
  return { result: provider.generate(request) };
}

describe('an answer whose content is a list of parts', () => {
  const answer = (content: unknown) => ({
    status: 200,
    body: { ...(ok.body as object), choices: [{ message: { content }, finish_reason: 'stop' }] },
  });

  it.each([
    [
      [
        { type: 'text', text: 'Hi ' },
        { type: 'text', text: 'there' },
      ],
      'Hi there',
    ],
    [
      [
        { type: 'reasoning', text: 'Hm' },
        { type: 'text', text: 'Hi' },
      ],
      'Hi',
    ],
    [[{ type: 'refusal', refusal: 'I cannot.' }], 'I cannot.'],
    [[{ type: 'text', text: 7 }, null, 'x'], ''],
    [[], ''],
  ])('is its texts: %j', async (content, text) => {
    expect(await call([answer(content)]).result).toMatchObject({ text, finish: 'stop' });
  });

  it('is malformed when it is neither text nor a list', async () => {
    await expect(call([answer({ text: 'Hi' })]).result).rejects.toMatchObject({ kind: 'malformed_answer' });
  });
});

describe('an error', () => {
  const error = (body: object) => ({ status: 400, body: { error: body } });

  it.each([
    ['temperature', 'configuration'],
    ['model', 'configuration'],
    ['max_tokens', 'configuration'],
    ['stop[0]', 'configuration'],
    ['messages', 'rejected_input'],
    ['messages[0].content', 'rejected_input'],
    ['input', 'rejected_input'],
    ['', 'rejected_input'],
    [null, 'rejected_input'],
    ['What about temperature?', 'rejected_input'],
  ])('that blames the parameter %s is %s', async (param, kind) => {
    const body = { message: 'No.', type: 'invalid_request_error', param, code: null };
    await expect(call([error(body)]).result).rejects.toMatchObject({ kind });
  });

  it('of an input that is too long is none of the settings, whichever parameter it blames', async () => {
    const body = { message: 'Too long.', param: 'max_tokens', code: 'context_length_exceeded' };
    await expect(call([error(body)]).result).rejects.toMatchObject({ kind: 'context_too_long' });
    const long = { ...body, code: 'string_above_max_length' };
    await expect(call([error(long)]).result).rejects.toMatchObject({ kind: 'rejected_input' });
  });

  it.each([
    [{ error: { message: 'No.', type: 't', code: 'c' } }, { code: 'c', message: 'No.' }],
    [{ error: { message: 'No.', type: 't', code: 400 } }, { code: 't', message: 'No.' }],
    [{ error: 'No.' }, { code: undefined, message: 'No.' }],
    [{ error: { message: 7 } }, { code: undefined, message: undefined }],
    ['<html>', { code: undefined, message: undefined }],
  ])('hands on what the provider says of it: %j', async (body, explanation) => {
    const failure = await call([{ status: 400, body }]).result.catch((thrown) => thrown);
    expect(failure.explanation).toEqual(explanation);
  });
});
