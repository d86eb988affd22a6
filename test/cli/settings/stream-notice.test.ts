// What `neuron validate` and `neuron apply` say of streams: which neurons stream live and which whole, and why.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printStreamModes } from '../../../cli/settings/stream-notice.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createMemoryPorts, type MemoryPorts, runWith } from '../memory-ports.ts';

const CALL = '{ callModel: { provider: demo, model: echo-1 } }';

const settings = (flows: Readonly<Record<string, string>>) =>
  [
    'organization: acme\nproviders: { demo: { type: echo } }',
    ...Object.entries(flows).map(
      ([slug, flow]) => `neuron: acme/${slug}\naccess: { apiKey: true }\nflow: [${flow}]`,
    ),
  ].join('\n---\n');

const FLOWS = {
  direct: CALL,
  twice: `${CALL}, ${CALL}`,
  guarded: `${CALL}, { ifOutputContains: { any: [secret], then: [{ stop: {} }] } }`,
  shaped: CALL.replace(
    'echo-1',
    'echo-1, outputSchema: { type: object, properties: {}, additionalProperties: false }',
  ),
};
const LIVE = 'Streaming: acme/direct, acme/twice send text as the model writes.\n';
const WHOLE =
  'Streaming in one piece (a step or a schema must see the whole text first): acme/guarded, acme/shaped.\n';

function run(ports: MemoryPorts, text: string, ...words: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'a.yaml'), text);
  return runWith(ports, [...words, 'a.yaml'], { folder });
}

describe('the way in which a neuron streams', () => {
  it('is told by validate for every neuron with a flow, on standard error alone', async () => {
    const { exitCode, stdout, stderr } = await run(
      createMemoryPorts(),
      settings(FLOWS),
      'validate',
      '--json',
    );
    expect({ exitCode, stdout, stderr }).toEqual({
      ...{ exitCode: 0, stdout: '' },
      stderr: `Valid: 5 documents in 1 file.\n${LIVE}${WHOLE}`,
    });
    expect((await run(createMemoryPorts(), settings(FLOWS), 'validate', '--quiet')).stderr).toBe('');
  });

  it('is told by apply for the flows that are new', async () => {
    const ports = createMemoryPorts();
    const first = await run(ports, settings(FLOWS), 'apply');
    expect(first.stderr).toContain(`${LIVE}${WHOLE}`);
    expect((await run(ports, settings(FLOWS), 'apply')).stderr).toBe('Nothing to change.\n');
    const changed = await run(ports, settings({ ...FLOWS, direct: FLOWS.guarded }), 'apply', '--dry-run');
    expect(changed.stderr).toBe(
      'Streaming in one piece (a step or a schema must see the whole text first): acme/direct.\n',
    );
  });

  it('is whole for every neuron of a stack in BUFFERED transfer, and not told of a neuron without a flow', () => {
    const told: string[] = [];
    const neurons = [
      { organization: 'acme', slug: 'direct', flow: [{ callModel: { provider: 'demo', model: 'm' } }] },
      { organization: 'acme', slug: 'empty', flow: undefined },
    ];
    const way = { transferMode: 'BUFFERED', waitsForGuards: () => true } as const;
    printStreamModes(neurons, way, { message: (text) => told.push(String(text)) });
    expect(told).toEqual(['Streaming in one piece (the stack is in BUFFERED transfer): acme/direct.']);
    printStreamModes([], { ...way, transferMode: 'STREAM' }, { message: (text) => told.push(String(text)) });
    expect(told).toHaveLength(1);
  });
});
