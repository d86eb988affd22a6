// JWTs by shared secret over real HTTP: until it is set, while it rotates, while Secrets Manager is down, and who the caller is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signWithSecret } from '../core/access/tokens.ts';
import { type FaultyService, startFaultyService } from '../faults/faulty-service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyAssembly } from './support/assembly.ts';
import { expectError, expectOpenaiError, expectRaw } from './support/expect-answer.ts';
import {
  bySecret,
  callWith,
  claimsNow,
  completeWith,
  jwtNeuron,
  SHARED_SECRET,
  settingsOf,
} from './support/jwt.ts';
import { applySettings } from './support/settings.ts';
import { isLocal, type Stack, startStack } from './support/stack.ts';
import { readOutputs } from './support/tables.ts';

const NEW_SECRET = 'canary-secret-after-the-rotation-0123456789abcdef';
const SECRET = { sharedSecret: { secret: 'support-jwt' } };

describe.runIf(isLocal)('a neuron with a shared secret', () => {
  const dataFolder = temporaryFolder();
  let secrets: FaultyService;
  let stack: Stack;

  beforeAll(async () => {
    secrets = await startFaultyService(() => readOutputs(dataFolder).endpoints.secretsmanager);
    stack = await startStack({
      assembly: await copyAssembly(),
      dataFolder,
      functionEndpoints: { secretsmanager: secrets.endpoint },
      concurrency: 1,
    });
    const settings = settingsOf(
      jwtNeuron('support', SECRET),
      jwtNeuron('strict', { ...SECRET, issuer: 'login', audience: ['a', 'b'], requireUsername: true }),
      jwtNeuron('nested', { ...SECRET, usernamePath: ['https://example.com/user', 'e.mail'] }),
      jwtNeuron('either', SECRET, { apiKey: true }),
      jwtNeuron('rotated', { sharedSecret: { secret: 'rotated-jwt', previous: 'support-jwt' } }),
      jwtNeuron('unset', { sharedSecret: { secret: 'never-set' } }),
    );
    await applySettings(stack, settings);
  });
  afterAll(async () => {
    await stack?.stop();
    await secrets?.stop();
  });

  const call = (slug: string, token?: string) => callWith(stack, slug, token);
  const setSecret = (value: string) =>
    stack.operate(['secrets', 'set', 'acme', 'support-jwt', '--for', 'jwt'], { input: value });

  it('answers 500 to tokens and 401 to everything else until the secret is set', async () => {
    const id = expectError(await call('support', bySecret()), 500, 'configuration');
    expectError(await call('support'), 401, 'unauthorized');
    expectError(await call('support', 'a.b.c'), 401, 'unauthorized');
    const entry = JSON.parse(await stack.operate(['logs', 'acme', '--id', id, '--json'])) as object;
    expect(entry).toMatchObject({
      outcome: 'failed',
      code: 'configuration',
      reason: 'the secret for JWTs is not set',
    });
    await setSecret(SHARED_SECRET);
    // A secret that was not there is looked for again after a while.
    await expect.poll(async () => (await call('support', bySecret())).status).toBe(200);
  });

  it('takes tokens of a new secret at once, and of the old one no longer than the stage says', async () => {
    expectRaw(await call('support', bySecret()), 'ada');
    await setSecret(NEW_SECRET);
    expectRaw(await call('support', bySecret({}, NEW_SECRET)), 'ada');
    await expect.poll(async () => (await call('support', bySecret())).status).toBe(401);
    await setSecret(SHARED_SECRET);
    await expect.poll(async () => (await call('support', bySecret())).status).toBe(200);
  });

  it('takes tokens of both secrets while one is rotated, and of the new one alone afterwards', async () => {
    // The settings come first: until the new secret is set, the old one goes on.
    expectRaw(await call('rotated', bySecret()), 'ada');
    expectError(await call('rotated', bySecret({}, NEW_SECRET)), 500, 'configuration');
    await stack.operate(['secrets', 'set', 'acme', 'rotated-jwt', '--for', 'jwt'], { input: NEW_SECRET });
    await expect.poll(async () => (await call('rotated', bySecret({}, NEW_SECRET))).status).toBe(200);
    expectRaw(await call('rotated', bySecret()), 'ada');
    expectError(await call('rotated', bySecret({}, `third ${NEW_SECRET}`)), 401, 'unauthorized');
    await applySettings(stack, settingsOf(jwtNeuron('rotated', { sharedSecret: { secret: 'rotated-jwt' } })));
    await expect.poll(async () => (await call('rotated', bySecret())).status).toBe(401);
    expectRaw(await call('rotated', bySecret({}, NEW_SECRET)), 'ada');
  });

  it('answers callers with good tokens, as whom they say, and logs that and nothing else of the token', async () => {
    const token = bySecret({ sub: ' Ada Lovelace|ü ', role: 'canary-role' });
    const id = expectRaw(await call('support', token), ' Ada Lovelace|ü ');
    await expect.poll(() => stack.operate(['logs', 'acme', '--json'])).toContain(id);
    const entry = await stack.operate(['logs', 'acme', '--id', id, '--json']);
    expect(JSON.parse(entry)).toMatchObject({ authentication: 'jwt', username: ' Ada Lovelace|ü ' });
    expect(entry).not.toMatch(/canary|eyJ/);
    const nested = { 'https://example.com/user': { 'e.mail': 42 } };
    expectRaw(await call('nested', bySecret(nested)), '42');
    expectRaw(await call('nested', bySecret()), '');
  });

  it('refuses what is not signed with the secret, expired, not yet valid or for others, with one text', async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = { iss: 'login', aud: 'b' };
    expectRaw(await call('strict', bySecret(good)), 'ada');
    expect((await completeWith(stack, 'strict', bySecret(good))).json()).toMatchObject({
      choices: [{ message: { content: 'ada' } }],
    });
    const texts = new Set<unknown>();
    for (const token of [
      undefined,
      bySecret(good, NEW_SECRET),
      bySecret({ ...good, exp: now - 10 }),
      bySecret({ ...good, exp: undefined }),
      bySecret({ ...good, nbf: now + 60 }),
      bySecret({ ...good, iss: 'eve' }),
      bySecret({ ...good, aud: 'c' }),
      bySecret({ ...good, sub: '' }),
      signWithSecret(claimsNow(good), { alg: 'HS512' }, SHARED_SECRET),
      signWithSecret(claimsNow(good), { alg: 'HS256', crit: ['exp'] }, SHARED_SECRET),
      bySecret(good).replace(/\.[^.]+$/, '.'),
    ]) {
      const answer = await call('strict', token);
      expectError(answer, 401, 'unauthorized');
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      texts.add(answer.json()['error']);
      expectOpenaiError(await completeWith(stack, 'strict', token), 401, 'invalid_api_key');
    }
    expect(texts.size).toBe(1);
  });

  it('takes a key or a token where both are on, each verified as what it is', async () => {
    const key = (await stack.operate(['keys', 'create', 'acme', '--name', 'back end'])).trim();
    expect(await call('either', key)).toMatchObject({ status: 200, text: '' });
    expectRaw(await call('either', bySecret()), 'ada');
    expectError(await call('support', key), 401, 'unauthorized');
    expectError(await call('either', `nrn_${bySecret()}`), 401, 'unauthorized');
  });

  it('answers 503 while Secrets Manager is down and nothing is in memory, and never 401', async () => {
    for (const fault of ['fail', 'drop'] as const) {
      secrets.injectFaults(() => fault);
      await expect.poll(async () => (await call('unset', bySecret())).status).toBe(503);
      expectError(await call('unset', bySecret()), 503, 'dependency_unavailable');
      expectOpenaiError(await completeWith(stack, 'unset', bySecret()), 503, 'dependency_unavailable');
    }
    secrets.injectFaults(() => undefined);
    await expect.poll(async () => (await call('unset', bySecret())).status).toBe(500);
    expectOpenaiError(await completeWith(stack, 'unset', bySecret()), 500, 'configuration');
  });
});
