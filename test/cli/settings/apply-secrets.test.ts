// `neuron apply` and the values of shared secrets: known ones are refused, short ones warned of, and none is shown.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const ACME = 'organization: acme\nproviders: { demo: { type: echo } }\n';

function runIn(ports: MemoryPorts, files: { readonly 'a.yaml': string }, words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), files['a.yaml']);
  return runWith(ports, words, { folder });
}

describe('neuron apply', () => {
  it('refuses a known shared secret, and warns of a short one, with file and line', async () => {
    const ports = createMemoryPorts();
    const jwt =
      'neuron: acme/hello\naccess: { jwt: { sharedSecret: { secret: shared } } }\nflow: [{ stop: {} }]\n';
    const files = { 'a.yaml': `${ACME}---\n${jwt}` };
    expect((await runIn(ports, files, ['apply', 'a.yaml'])).exitCode).toBe(0);
    const id = (await ports.store.readOrganization('acme'))?.id;
    ports.secretValues.set(`${id}/jwt/shared`, 'supersecret');
    const rejected = await runIn(ports, files, ['apply', 'a.yaml']);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toContain(
      'a.yaml:5:34: access.jwt.sharedSecret.secret: names shared, which is a value that is known from documentation and examples. Set another value with `neuron secrets set acme shared --for jwt`.',
    );
    expect(rejected.stderr).not.toContain('supersecret');
    ports.secretValues.set(`${id}/jwt/shared`, 'kurz und geheim');
    const warned = await runIn(ports, files, ['apply', 'a.yaml']);
    expect(warned.exitCode).toBe(0);
    expect(warned.stderr).toContain(
      'warning: a.yaml:5:34: access.jwt.sharedSecret.secret: names shared, which has 15 bytes;',
    );
    expect(warned.stderr).not.toContain('kurz');
  });

  it('refuses a short secret as the one before', async () => {
    const ports = createMemoryPorts();
    const access = '{ jwt: { sharedSecret: { secret: shared, previous: old } } }';
    const files = { 'a.yaml': `${ACME}---\nneuron: acme/hello\naccess: ${access}\nflow: [{ stop: {} }]\n` };
    await runIn(ports, files, ['apply', 'a.yaml']);
    const id = (await ports.store.readOrganization('acme'))?.id;
    ports.secretValues.set(`${id}/jwt/shared`, 'Ab1-'.repeat(8));
    ports.secretValues.set(`${id}/jwt/old`, 'kurz und geheim');
    const rejected = await runIn(ports, files, ['apply', 'a.yaml']);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toContain('access.jwt.sharedSecret.previous: names old, which has 15 bytes;');
    ports.secretValues.set(`${id}/jwt/old`, 'Cd2+'.repeat(8));
    expect((await runIn(ports, files, ['apply', 'a.yaml'])).exitCode).toBe(0);
  });

  it.each([
    ['[HS384]', 47, '; HS384 requires at least 48, the size of its hash.'],
    ['[HS512, HS256]', 63, '; HS512 requires at least 64, the size of its hash.'],
  ])('warns of a shared secret that is shorter than a hash of %s', async (algorithms, bytes, warning) => {
    const ports = createMemoryPorts();
    const access = `{ jwt: { sharedSecret: { secret: shared }, algorithms: ${algorithms} } }`;
    const files = { 'a.yaml': `${ACME}---\nneuron: acme/hello\naccess: ${access}\nflow: [{ stop: {} }]\n` };
    await runIn(ports, files, ['apply', 'a.yaml']);
    const id = (await ports.store.readOrganization('acme'))?.id;
    for (const length of [bytes, bytes + 1]) {
      ports.secretValues.set(`${id}/jwt/shared`, 'Ab1-'.repeat(16).slice(0, length));
      const { exitCode, stderr } = await runIn(ports, files, ['apply', 'a.yaml']);
      expect(exitCode).toBe(0);
      expect(stderr.includes(`names shared, which has ${length} bytes${warning}`)).toBe(length === bytes);
      expect(stderr).not.toContain('Ab1-');
    }
  });

  it('applies settings of an author, who may not read secrets, and says that they were not checked', async () => {
    const ports = createMemoryPorts();
    const neuron = (text: string) =>
      `neuron: acme/hello\naccess: { jwt: { sharedSecret: { secret: shared } } }\nreceipt: ${text}\nflow: [{ stop: {} }]\n`;
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron('true')}` }, ['apply', 'a.yaml']);
    const denied = () => Promise.reject(deniedError());
    const author = {
      ...ports,
      secrets: { ...ports.secrets, list: denied },
      secretReader: { read: () => Promise.reject(new Error('the store failed', { cause: deniedError() })) },
      store: { ...ports.store, listOrganizations: denied },
    };
    const applied = await runIn(author, { 'a.yaml': neuron('false') }, ['apply', 'a.yaml']);
    expect(applied.exitCode).toBe(0);
    expect(applied.stderr).toContain(
      'These credentials may not read secrets, so the secrets that settings name were not checked.',
    );
    expect(
      (await runIn(author, { 'a.yaml': neuron('false') }, ['apply', 'a.yaml', '--check'])).exitCode,
    ).toBe(0);
  });

  it('applies nothing where secrets cannot be read for another reason', async () => {
    const ports = createMemoryPorts();
    const neuron = (text: string) =>
      `neuron: acme/hello\naccess: { jwt: { sharedSecret: { secret: shared } } }\nreceipt: ${text}\nflow: [{ stop: {} }]\n`;
    await runIn(ports, { 'a.yaml': `${ACME}---\n${neuron('true')}` }, ['apply', 'a.yaml']);
    const failing = () => Promise.reject(new Error('the store failed'));
    const broken = { ...ports, secrets: { ...ports.secrets, list: failing } };
    expect((await runIn(broken, { 'a.yaml': neuron('false') }, ['apply', 'a.yaml'])).exitCode).not.toBe(0);
    expect((await runIn(ports, { 'a.yaml': neuron('true') }, ['apply', 'a.yaml', '--check'])).exitCode).toBe(
      0,
    );
  });
});

function deniedError(): Error {
  return Object.assign(new Error('no'), { name: 'AccessDeniedException' });
}
