// What `neuron validate` and `neuron apply` say of guards: what is judged where, and what becomes of what nobody sees.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const ORGANIZATION = `organization: acme
providers: { demo: { type: echo } }
guards: { pii: { type: pii, entities: [email] }, tricks: { type: patterns, deny: ['ignore.+rules'] } }
mandatory: [{ use: pii, on: [input], action: redact }]
`;
const neuron = (slug: string, more = '', accepts = 'images') =>
  `---\nneuron: acme/${slug}\naccess: { apiKey: true }\n${more}flow: [{ callModel: { provider: demo, model: m, accepts: [${accepts}] } }]\n`;

function run(ports: MemoryPorts, text: string, ...words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, [...words, 'a.yaml'], { folder });
}

const USE = 'guards: [{ use: tricks, on: [output], action: block }]\n';
const COVERAGE = `Guards of acme/n:
  input: pii redact (mandatory)
  output: tricks block
  system, toolCalls: not used by this flow
  images in input: refused, since no guard sees them and pii must see all
  streams: in one piece, since tricks must see the whole text first
`;

describe('neuron validate', () => {
  it('tells what guards look at, and that a stream waits for one', async () => {
    const { exitCode, stdout, stderr } = await run(
      createMemoryPorts(),
      `${ORGANIZATION}${neuron('n', USE)}`,
      'validate',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
    expect(stderr).toBe(
      `Valid: 2 documents in 1 file.\nStreaming in one piece (a guard must see the whole text first): acme/n.\n${COVERAGE}`,
    );
  });

  it('prints one object for each neuron with --json', async () => {
    const { stdout } = await run(
      createMemoryPorts(),
      `${ORGANIZATION}${neuron('n', USE)}`,
      'validate',
      '--json',
    );
    const pii = { guard: 'pii', type: 'pii', action: 'redact', mandatory: true };
    const tricks = { guard: 'tricks', type: 'patterns', action: 'block', mandatory: false };
    expect(JSON.parse(stdout)).toEqual({
      neuron: 'acme/n',
      stages: [
        { stage: 'input', reached: true, guards: [pii] },
        { stage: 'system', reached: false, guards: [pii] },
        { stage: 'toolResults', reached: false, guards: [] },
        { stage: 'tools', reached: false, guards: [] },
        { stage: 'output', reached: true, guards: [tricks] },
        { stage: 'toolCalls', reached: false, guards: [tricks] },
      ],
      unseen: [{ kind: 'images', stage: 'input', fate: 'refused', guards: ['pii'] }],
      stream: { mode: 'whole', flow: false, guards: ['tricks'] },
    });
  });

  it('says where it cannot tell, since the organization is in another file', async () => {
    const alone = neuron('n', USE, 'history').replace('---\n', '');
    const { stderr } = await run(createMemoryPorts(), alone, 'validate');
    expect(stderr).toContain('Guards of acme/n are not shown: its organization is in none of these files.\n');
  });
});

describe('neuron apply', () => {
  it('tells it of neurons that change, and of all in the files when the mandatory guards do', async () => {
    const ports = createMemoryPorts();
    const both = (organization: string) => `${organization}${neuron('n', USE)}${neuron('other')}`;
    const first = await run(ports, both(ORGANIZATION), 'apply');
    expect(first.stderr).toContain(COVERAGE);
    expect(first.stderr).toContain('Guards of acme/other:\n  input: pii redact (mandatory)\n');
    expect((await run(ports, both(ORGANIZATION), 'apply')).stderr).toBe('Nothing to change.\n');
    const renamed = await run(ports, both(`${ORGANIZATION}name: Acme\n`), 'apply', '--dry-run');
    expect(renamed.stderr).not.toContain('Guards of');
    const stricter = both(ORGANIZATION.replace('action: redact', 'action: block'));
    const { stderr } = await run(ports, stricter, 'apply', '--dry-run');
    expect(stderr.match(/input: pii block \(mandatory\)/g)).toHaveLength(2);
  });

  it('knows the organization of the stack, and its transfer', async () => {
    const ports = createMemoryPorts();
    await run(ports, ORGANIZATION, 'apply');
    const outputs = { ...ports.stack.outputs, transferMode: 'BUFFERED' };
    const buffered = { ...ports, stack: { ...ports.stack, outputs } };
    const { stderr } = await run(buffered, neuron('n', USE).replace('---\n', ''), 'apply');
    expect(stderr).toContain('  streams: in one piece, since the stack is in BUFFERED transfer\n');
  });
});

it('is in what `explain` says of a neuron as it is applied', async () => {
  const ports = createMemoryPorts();
  await run(ports, ORGANIZATION + neuron('n', USE), 'apply', '--yes');
  const explained = await runWith(ports, ['explain', 'acme/n']);
  expect(explained.stdout).toContain(COVERAGE);
  const { guards } = JSON.parse((await runWith(ports, ['explain', 'acme/n', '--json'])).stdout);
  expect(guards).toMatchObject({ stream: { mode: 'whole', guards: ['tricks'] } });
  expect(Object.keys(guards)).toEqual(['stages', 'unseen', 'stream']);
});
