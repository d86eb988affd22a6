// Finds in variables: the error names the variable, and what an answer repeats of metadata has no value that was masked.
import { describe, expect, it } from 'vitest';
import { openGuarded } from './function.ts';
import { answerWith, PASS, received, toServer, webhook } from './one-service.ts';

const VARIABLES = { note: { type: 'string' }, order: { type: 'string' } };
const callModel = { provider: 'model', model: 'm', maxTokens: 50, retries: 0, accepts: 'all' };
const FLOW = [{ callModel: { ...callModel, prompt: '{{order}}|{{note}}|{{input}}' } }];
const library = {
  pii: { type: 'pii', entities: ['email'] },
  words: { type: 'patterns', deny: ['project falcon'] },
};
const bodiesOf = (variables: string) => ({
  openai: {
    ...{ model: 'support', messages: [{ role: 'user', content: 'Hello' }] },
    metadata: { variables },
  },
  responses: { model: 'support', input: 'Hello', store: false, metadata: { variables } },
});
const paramOf = (text: string) => JSON.parse(text).error.param;

/** A service that finds Ann in whatever text has her. */
function findAnn(): void {
  answerWith(({ body }) => {
    const { texts } = JSON.parse(body) as { texts: { text: string }[] };
    const finds = texts.flatMap(({ text }, at) => {
      const start = text.indexOf('Ann');
      return start === -1 ? [] : [{ type: 'NAME', text: at, start, end: start + 3 }];
    });
    return finds.length === 0 ? PASS : { status: 200, body: { verdict: 'block', finds } };
  });
}

describe.each(['openai', 'responses'] as const)('a find in a variable, on %s', (surface) => {
  it.each([
    [{ note: 'project falcon' }, 'note'],
    [{ note: 'Hello', order: 'project falcon' }, 'order'],
    [{ order: 'so project falcon is', note: 'a note' }, 'order'],
  ])('of a guard in the process names it: %j', async (values, name) => {
    const guards = [{ use: 'words', on: ['input'], action: 'block' }];
    const { call } = openGuarded({ variables: VARIABLES, flow: FLOW, library, guards });
    const { status, text } = await call(bodiesOf(JSON.stringify(values))[surface], { surface });
    expect([status, paramOf(text)]).toEqual([400, `metadata.variables.${name}`]);
    expect(text).not.toContain('falcon');
  });

  it.each([
    [{ note: 'Ann' }, 'note'],
    [{ order: 'Ann', note: 'x' }, 'order'],
    [{ order: 'x', note: 'I am Ann' }, 'note'],
  ])('of a guard by a service names it: %j', async (values, name) => {
    findAnn();
    const guards = [{ use: 'ours', on: ['input'], action: 'block' }];
    const services = { ours: webhook() };
    const { call, asked } = openGuarded({
      ...{ variables: VARIABLES, flow: FLOW, library: services, guards, guardHttp: toServer },
    });
    const { status, text } = await call(bodiesOf(JSON.stringify(values))[surface], { surface });
    expect([status, paramOf(text), asked]).toEqual([400, `metadata.variables.${name}`, []]);
  });
});

describe('metadata that an answer repeats', () => {
  const surface = 'responses';
  const form = { surface, idempotencyKey: 'order-1' } as const;

  it('keep no value that their JSON writes with escapes', async () => {
    const guards = [{ use: 'pii', on: ['input'], action: 'mask' }];
    const model = openGuarded({ variables: VARIABLES, flow: FLOW, library, guards });
    const body = bodiesOf('{"note":"ann\\u0040mail.example.com"}').responses;
    const first = await model.call(body, form);
    expect(first.status).toBe(200);
    expect(model.asked.join('')).toMatch(/\[EMAIL_/);
    expect(model.kept()).not.toContain('mail.example');
    expect((await model.call(body, form)).text).toBe(first.text);
    expect(first.text).toContain('ann@mail.example.com');
  });

  it('keep no value that a service masked in a variable', async () => {
    findAnn();
    const guards = [{ use: 'ours', on: ['input'], action: 'mask' }];
    const services = { ours: webhook() };
    const model = openGuarded({
      ...{ variables: VARIABLES, flow: FLOW, library: services, guards, guardHttp: toServer },
    });
    const body = bodiesOf(JSON.stringify({ note: 'I am Ann' })).responses;
    const first = await model.call(body, form);
    const questions = received().length;
    const again = await model.call(body, form);
    expect([first.status, again.text]).toEqual([200, first.text]);
    expect(received()).toHaveLength(questions);
    expect(first.text).toContain('I am Ann');
    expect(model.kept() + model.asked.join('')).not.toContain('Ann');
  });
});
