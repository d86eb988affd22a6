// `neuron keys import`: keys of another system by text or digest, all or none, and no text anywhere.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type MemoryPorts, neuronRecord, runWith } from '../memory-ports.ts';
import { withAcme } from './acme-keys.ts';

const KEY = 'sk-9vXq2LmZt7RwYb3NcKd8Ge';
const OTHER = 'sk-Zk4Tn8QyWc2HsLp9Vr6JmX';
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const folder = temporaryFolder();

async function importKeys(ports: MemoryPorts, lines: readonly (object | string)[], ...words: string[]) {
  const file = join(folder, 'keys.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  writeFileSync(file, `${text}\n`);
  return runWith(ports, ['keys', 'import', 'acme', file, '--expires', '90d', '--yes', '--json', ...words]);
}

async function withNeurons() {
  const ports = await withAcme();
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'support'), 'absent');
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'mini', { models: ['gpt-4.1-mini'] }), 'absent');
  return ports;
}

const END = '2027-02-19T12:00:00.000Z';

describe('neuron keys import', () => {
  it('stores keys by digest, with all that they may, and their end', async () => {
    const ports = await withNeurons();
    const rest = {
      neurons: ['support', 'gpt-4.1-mini', 'shop-*'],
      limits: ['cost 50 month', 'requests 60 minute'],
      tags: { team: 'shop' },
    };
    const { exitCode, stdout, stderr } = await importKeys(ports, [
      { key: KEY, name: 'shop', ...rest },
      '',
      { digest: sha256(OTHER), name: 'blog', expiresAt: '2026-12-24T00:00:00Z' },
    ]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const listed = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(listed).toMatchObject([
      { name: 'shop', expiresAt: END, outcome: 'imported' },
      { name: 'blog', expiresAt: '2026-12-24T00:00:00.000Z', outcome: 'imported' },
    ]);
    expect(await ports.keyReader.read(sha256(KEY))).toMatchObject({
      organizationId: 'id-acme',
      name: 'shop',
      expiresAt: END,
      neurons: ['id-support', 'id-mini'],
      neuronPatterns: ['shop-*'],
      usageLimits: [
        { metric: 'cost', limit: 50_000_000, period: 'month' },
        { metric: 'requests', limit: 60, period: 'minute' },
      ],
      tags: { team: 'shop' },
      imported: true,
      lastFour: '',
    });
    const everything = JSON.stringify([await ports.keyReader.read(sha256(KEY)), stdout, stderr]);
    for (const part of [KEY, KEY.slice(3), KEY.slice(-4), sha256(KEY)])
      expect(everything).not.toContain(part);
  });

  it('changes nothing that is there, so that it can be run again', async () => {
    const ports = await withNeurons();
    await importKeys(ports, [{ key: KEY, name: 'shop' }]);
    const { exitCode, stdout } = await importKeys(ports, [
      { key: KEY, name: 'other' },
      { key: OTHER, name: 'blog' },
    ]);
    expect(exitCode).toBe(0);
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ outcome: 'exists', keyId: null }, { outcome: 'imported' }]);
    expect(await ports.keyReader.read(sha256(KEY))).toMatchObject({ name: 'shop' });
  });

  it.each([
    [{ key: 'sk-1234', name: 'a' }, 'line 2: the key can be guessed: it is worth about'],
    [{ key: 'nrn_x', name: 'a' }, 'line 2: the key begins as the keys of this service do'],
    [{ name: 'a' }, 'line 2: must have either key or digest'],
    [{ key: OTHER, digest: sha256(OTHER), name: 'a' }, 'line 2: must have either key or digest'],
    [{ digest: 'ABC', name: 'a' }, 'line 2: digest must be SHA-256 in hexadecimal'],
    [{ key: OTHER }, 'line 2: name'],
    [{ key: OTHER, name: '' }, 'line 2: It must be one line of 1 to 100 characters'],
    [{ key: OTHER, name: 'a', neurons: ['nobody'] }, 'line 2: no neuron has the name "nobody"'],
    [{ key: OTHER, name: 'a', neurons: ['-*'] }, 'line 2: It must be neurons of the organization'],
    [{ key: OTHER, name: 'a', limits: ['cost 50'] }, 'line 2: Its period must be minute, day or month'],
    [{ key: OTHER, name: 'a', limits: ['cost 5 day', 'cost 6 day'] }, 'There are two limits of cost per day'],
    [{ key: OTHER, name: 'a', tags: { ' ': 'x' } }, 'line 2: tags'],
    [{ key: OTHER, name: 'a', expiresAt: 'soon' }, 'line 2: expiresAt must be a time'],
    [{ key: OTHER, name: 'a', budget: 5 }, 'line 2: has the unknown member budget'],
    [{ key: KEY, name: 'a' }, 'line 2: is the key of line 1 again'],
    ['{', 'line 2: is no JSON object'],
    ['[]', 'line 2: must have members'],
  ])('takes over nothing where a line is wrong: %j', async (line, message) => {
    const ports = await withNeurons();
    const { exitCode, stdout, stderr } = await importKeys(ports, [{ key: KEY, name: 'shop' }, line]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain(OTHER);
    expect(await ports.keyReader.read(sha256(KEY))).toBeUndefined();
  });

  it('says that a file is missing, and wants an end', async () => {
    const ports = await withNeurons();
    const missing = await runWith(ports, ['keys', 'import', 'acme', '/nowhere', '--expires', '90d']);
    expect(missing.stderr).toContain('/nowhere cannot be read.');
    expect((await runWith(ports, ['keys', 'import', 'acme', 'x'])).exitCode).toBe(2);
  });
});
