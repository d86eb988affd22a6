// `neuron explain` for a neuron whose flow keeps callers on a branch: the one that this caller takes, in the version that they get.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bucketOf } from '../../../core/text/subject-bucket.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const folder = temporaryFolder();

const split = (name: string) => `  - randomizedSplit:
      percentageA: 50
      stickyBy: key
      ${name === '' ? '' : `name: ${name}`}
      a: [{ serveOutput: { text: A } }]
`;

async function apply(ports: MemoryPorts, flow: string, access = '{ public: true }', ...words: string[]) {
  const text = `organization: acme
providers: { demo: { type: echo } }
---
neuron: acme/support
access: ${access}
flow:
${flow}  - callModel: { provider: demo, model: m }
`;
  const path = join(folder, 'acme.yaml');
  writeFileSync(path, text);
  const { exitCode, stderr } = await runWith(ports, ['apply', path, '--yes', ...words]);
  expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
}

async function explain(ports: MemoryPorts, words: readonly string[], token?: string) {
  const environment = token === undefined ? {} : { NEURON_TOKEN: token };
  const { stdout } = await runWith(ports, ['explain', 'acme/support', ...words], { environment });
  return stdout.trimEnd();
}

const branchFor = (name: string, kind: 'key' | 'address', subject: string) =>
  bucketOf(`acme/support#${name}`, kind, subject) < 5_000 ? 'a' : 'b';

describe('neuron explain', () => {
  it('shows the branch of a key, of an address, and that of nobody known', async () => {
    const ports = createMemoryPorts();
    await apply(ports, split('tone') + split(''), '{ apiKey: true }');
    const token = (await runWith(ports, ['keys', 'create', 'acme', '--name', 'x'])).stdout.trim();
    const keyId = token.slice(4, 16);
    expect((await explain(ports, [], token)).split('\n').slice(-2)).toEqual([
      `Split tone (flow[0].randomizedSplit): this caller takes ${branchFor('tone', 'key', keyId)}.`,
      `Split flow[1].randomizedSplit: this caller takes ${branchFor('', 'key', keyId)}.`,
    ]);
    await apply(ports, split('tone') + split(''));
    const ip = '203.0.113.9';
    expect(await explain(ports, ['--ip', ip])).toContain(
      `Split tone (flow[0].randomizedSplit): this caller takes ${branchFor('tone', 'address', ip)}.`,
    );
    expect(await explain(ports, [])).toContain(
      'Split tone (flow[0].randomizedSplit): each address has a branch of its own.',
    );
    expect(JSON.parse(await explain(ports, ['--json']))).toMatchObject({
      splits: [
        { path: 'flow[0].randomizedSplit', name: 'tone', by: 'key', branch: null },
        { path: 'flow[1].randomizedSplit', name: null, by: 'key', branch: null },
      ],
    });
  });

  it('says nothing of splits that draw, nor to a caller who is not let in', async () => {
    const ports = createMemoryPorts();
    await apply(ports, '  - randomizedSplit: { percentageA: 50 }\n');
    expect(JSON.parse(await explain(ports, ['--json']))).not.toHaveProperty('splits');
    await apply(ports, split('tone'), '{ apiKey: true }');
    expect(await explain(ports, [], `nrn_${'A'.repeat(55)}`)).not.toContain('Split');
  });

  it('shows the splits of the version that a rollout gives the caller', async () => {
    const ports = createMemoryPorts();
    await apply(ports, split('one'));
    await apply(ports, split('two'), undefined, '--no-deploy');
    const start = ['versions', 'rollout', 'start', 'acme/support', 'v2', '--by', 'address', '--share', '50%'];
    const begun = await runWith(ports, [...start, '--yes']);
    expect([begun.exitCode, begun.stderr]).toEqual([0, expect.any(String)]);
    const seen = new Set<string>();
    for (let last = 1; last < 20; last += 1) {
      const text = await explain(ports, ['--ip', `203.0.113.${last}`]);
      const [, arm = ''] = /on the side of the (\w+)/.exec(text) ?? [];
      expect(text).toContain(arm === 'candidate' ? 'Split two' : 'Split one');
      expect(text).not.toContain(arm === 'candidate' ? 'Split one' : 'Split two');
      seen.add(arm);
    }
    expect(seen).toEqual(new Set(['control', 'candidate']));
  });
});
