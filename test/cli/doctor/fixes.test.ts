// `neuron doctor --fix`: a command for each finding, for the same stack.
import { describe, expect, it } from 'vitest';
import { runChecks } from '../../../cli/doctor/doctor.ts';
import { findFixes } from '../../../cli/doctor/fixes.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { createMemoryPorts, organizationRecord } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

describe('findFixes', () => {
  it('takes lines and spans that are commands, once each', () => {
    const remedy = 'Read why with `neuron logs acme`, not `logs`.\nneuron logs acme\naws sso login';
    expect(findFixes('secrets', remedy, {})).toEqual(['neuron logs acme', 'aws sso login']);
  });

  it('leads to the same stack', () => {
    expect(findFixes('secrets', 'neuron logs acme', { region: 'eu-west-1' })).toEqual([
      'neuron --region eu-west-1 logs acme',
    ]);
    expect(findFixes('secrets', 'neuron --local logs acme', { local: '.local' })).toEqual([
      'neuron --local logs acme',
    ]);
  });

  it.each(['versions', 'credentials', 'stack', 'service and clock', 'providers'])(
    'has a command for a finding of %s whose remedy has none',
    (check) => {
      expect(findFixes(check, 'Look at it.', {})).not.toEqual([]);
      expect(findFixes(check, null, {})).toEqual([]);
    },
  );
});

async function run(fix: boolean, json = false) {
  const memory = createMemoryPorts();
  const pause = { retryAfterSeconds: 60, since: '2026-11-21T11:00:00.000Z', by: 'ada' };
  await memory.store.writeOrganization({ ...organizationRecord('acme'), pause }, 'absent');
  const terminal = createMemoryTerminal();
  const ports = {
    version: '1.0.0',
    nodeVersion: '24.0.0',
    clock: memory.clock,
    fetch: async () => new Response('', { status: 404 }),
    identity: async () => 'ada',
    findStack: async () => memory.stack,
    tableStatus: async (table: string) => (table === 'logs' ? 'CREATING' : 'ACTIVE'),
    connect: async () => memory,
    openHttp: () => Promise.reject(new Error('no probe')),
  };
  const out = createOutput(terminal, { json, quiet: false, yes: false, color: false });
  const exitCode = await runChecks({ args: { probe: false, fix, local: undefined }, ports, out });
  return { exitCode, stdout: terminal.printed.stdout };
}

describe('neuron doctor --fix', () => {
  it('prints the command of each finding below the checks, and runs none', async () => {
    const { exitCode, stdout } = await run(true);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n').slice(-4)).toEqual([
      'Commands for these findings:',
      'aws cloudformation describe-stack-events --stack-name NeuronApi-test    # tables',
      'neuron organization resume acme    # availability',
      '',
    ]);
  });

  it('is silent without the option, and the same in JSON', async () => {
    expect((await run(false)).stdout).not.toContain('Commands for');
    const lines = (await run(true, true)).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).commands.length)).toEqual([0, 0, 0, 1, 0, 1, 0, 0]);
  });
});
