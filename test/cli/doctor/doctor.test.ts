// `neuron doctor`: every check says ok, or what is wrong and how to solve it.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { DoctorPorts } from '../../../cli/doctor/checks.ts';
import { runChecks } from '../../../cli/doctor/doctor.ts';
import { CommandFailure } from '../../../cli/output/failure.ts';
import { createOutput } from '../../../cli/output/print.ts';
import { createMemoryPorts, logEntry, NOW_MS, neuronRecord, organizationRecord } from '../memory-ports.ts';
import { createMemoryTerminal } from '../memory-terminal.ts';

interface CheckResult {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy: string | null;
}

const notFound = (date: string) => async () => new Response('{}', { status: 404, headers: { Date: date } });

async function healthy() {
  const ports = createMemoryPorts();
  await ports.store.writeOrganization(
    organizationRecord('acme', {
      providers: { openai: { type: 'openai', apiKey: { secret: 'openai-key' } } },
    }),
    'absent',
  );
  const access = { jwt: { sharedSecret: { secret: 'shared' } } };
  await ports.store.writeNeuron('acme', neuronRecord('acme', 'hello', { access }), 'absent');
  ports.secretValues.set('id-acme/providers/openai-key', 'x').set('id-acme/jwt/shared', 'x');
  const doctorPorts: DoctorPorts = {
    version: '1.0.0',
    nodeVersion: '24.1.0',
    clock: ports.clock,
    fetch: notFound(new Date(NOW_MS).toUTCString()),
    identity: async () => 'arn:aws:iam::123456789012:user/ada',
    findStack: async () => ports.stack,
    tableStatus: async () => 'ACTIVE',
    connect: async () => ports,
    openHttp: () => Promise.reject(new Error('nothing is probed')),
  };
  return { ports, doctorPorts };
}

async function examine(ports: DoctorPorts) {
  const terminal = createMemoryTerminal();
  const out = createOutput(terminal, { json: true, quiet: false, yes: false, color: false });
  const exitCode = await runChecks({ args: { local: undefined, probe: false }, ports, out });
  const findings = terminal.printed.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckResult);
  return { exitCode, findings, wrong: findings.filter(({ ok }) => !ok) };
}

describe('neuron doctor for ten thousand organizations', () => {
  it('lists them once, and has only some requests under way', async () => {
    const { ports, doctorPorts } = await healthy();
    const organizations = Array.from({ length: 10_000 }, (_, index) =>
      organizationRecord(`org-${String(index).padStart(5, '0')}`),
    );
    let lists = 0;
    const underWay = { now: 0, most: 0 };
    const inTurn = async <Value>(value: Value): Promise<Value> => {
      underWay.now += 1;
      underWay.most = Math.max(underWay.most, underWay.now);
      await new Promise(setImmediate);
      underWay.now -= 1;
      return value;
    };
    const logged = { ...logEntry(), timeMs: NOW_MS - 1_000, status: 500, code: 'configuration' as const };
    const connected = {
      ...ports,
      store: {
        ...ports.store,
        listOrganizations: async () => {
          lists += 1;
          return organizations;
        },
        listNeurons: () => inTurn([]),
      },
      logReader: {
        async *list({ organizationId }: { readonly organizationId: string }) {
          const isLast = organizationId === organizations.at(-1)?.id;
          for (const entry of await inTurn(isLast ? [logged] : [])) yield entry;
        },
        find: async () => logged,
      },
    };
    const { exitCode, findings } = await examine({ ...doctorPorts, connect: async () => connected });
    expect(exitCode).toBe(0);
    expect(lists).toBe(1);
    expect(underWay.most).toBe(16);
    const [secrets] = findings.filter(({ check }) => check === 'secrets');
    expect(secrets?.detail).toBe('every secret in the settings of 10000 organizations is set');
    const [configuration] = findings.filter(({ check }) => check === 'configuration');
    expect(configuration?.detail).toContain('org-09999/');
  });
});

describe('neuron doctor', () => {
  it('passes for a stack that works', async () => {
    const { exitCode, findings } = await examine((await healthy()).doctorPorts);
    expect(exitCode).toBe(0);
    expect(findings.map(({ check, ok }) => [check, ok])).toEqual([
      ['versions', true],
      ['credentials', true],
      ['stack', true],
      ['tables', true],
      ['secrets', true],
      ['availability', true],
      ['configuration', true],
      ['service and clock', true],
    ]);
  });

  it('prints a line per check, with the remedy below', async () => {
    const { doctorPorts } = await healthy();
    const terminal = createMemoryTerminal();
    const out = createOutput(terminal, { json: false, quiet: false, yes: false, color: false });
    const findStack = async () => {
      throw new CommandFailure({ what: 'No stack.', remedy: 'Deploy one.\nOr another.' });
    };
    const exitCode = await runChecks({
      args: { local: undefined, probe: false },
      ports: { ...doctorPorts, findStack },
      out,
    });
    expect(exitCode).toBe(1);
    expect(terminal.printed.stdout.split('\n').slice(1)).toEqual([
      'ok   credentials: arn:aws:iam::123456789012:user/ada',
      'fail stack: No stack.',
      '     Deploy one.',
      '     Or another.',
      '',
    ]);
  });

  it('names each secret in the settings that is not set', async () => {
    const { ports, doctorPorts } = await healthy();
    ports.secretValues.clear();
    const { exitCode, wrong } = await examine(doctorPorts);
    expect(exitCode).toBe(1);
    expect(wrong).toEqual([
      {
        check: 'secrets',
        ok: false,
        detail: '2 secrets in the settings are not set. Calls that need them are answered 500.',
        remedy:
          'neuron secrets set acme openai-key --for providers\nneuron secrets set acme shared --for jwt',
        commands: [
          'neuron secrets set acme openai-key --for providers',
          'neuron secrets set acme shared --for jwt',
        ],
      },
    ]);
  });

  it('prints a note, not a failure, for a missing secret on a local run', async () => {
    const { ports, doctorPorts } = await healthy();
    ports.secretValues.delete('id-acme/jwt/shared');
    const local = { folder: resolve('.local'), dynamodb: '', secretsmanager: '', logFolder: '' };
    const connect = async () => ({ ...ports, stack: { ...ports.stack, local } });
    const terminal = createMemoryTerminal();
    const out = createOutput(terminal, { json: false, quiet: false, yes: false, color: false });
    expect(
      await runChecks({ args: { local: undefined, probe: false }, ports: { ...doctorPorts, connect }, out }),
    ).toBe(0);
    expect(terminal.printed.stdout).toContain(
      'note secrets: 1 secret in the settings is not set. Calls that need it are answered 500.\n     neuron --local secrets set acme shared --for jwt\n',
    );
  });

  it('notes maintenance mode and paused organizations, with the commands that end them', async () => {
    const { ports, doctorPorts } = await healthy();
    const availability = async () =>
      (await examine(doctorPorts)).findings.find(({ check }) => check === 'availability');
    expect(await availability()).toMatchObject({ ok: true, remedy: null });
    const state = { retryAfterSeconds: 60, since: '2026-11-21T11:00:00.000Z', by: 'ada' };
    const acme = (await ports.store.readOrganization('acme'))!;
    await ports.store.writeOrganization({ ...acme, pause: state }, acme.write);
    expect(await availability()).toEqual({
      check: 'availability',
      ok: true,
      detail: 'acme is paused since 2026-11-21T11:00:00.000Z, by ada: every call is answered 429.',
      remedy: 'neuron organization resume acme',
      commands: ['neuron organization resume acme'],
    });
    await ports.store.setMaintenance(state);
    const both = await availability();
    expect(both?.detail).toContain(
      'Maintenance mode is on since 2026-11-21T11:00:00.000Z, by ada: every call is answered 503.\nacme is paused',
    );
    expect(both?.remedy).toBe('neuron maintenance off\nneuron organization resume acme');
    expect((await examine(doctorPorts)).exitCode).toBe(0);
  });

  it('names each table that is not active', async () => {
    const { doctorPorts } = await healthy();
    const tableStatus = async (table: string) => (table === 'logs' ? 'CREATING' : 'ACTIVE');
    const { wrong } = await examine({ ...doctorPorts, tableStatus });
    expect(wrong.map(({ check, detail }) => [check, detail])).toEqual([['tables', 'logs is CREATING']]);
  });

  it('finds a clock that is off by more than a minute, either way', async () => {
    const { doctorPorts } = await healthy();
    for (const [seconds, ok] of [
      [-300, false],
      [-59, true],
      [59, true],
      [300, false],
    ] as const) {
      const fetch = notFound(new Date(NOW_MS + seconds * 1000).toUTCString());
      const { findings } = await examine({ ...doctorPorts, fetch });
      expect([seconds, findings.at(-1)?.ok]).toEqual([seconds, ok]);
    }
  });

  it('fails for a service that does not answer, and for another service in its place', async () => {
    const { doctorPorts } = await healthy();
    const unreachable = await examine({ ...doctorPorts, fetch: () => Promise.reject(new TypeError('no')) });
    expect(unreachable.wrong[0]?.detail).toBe('http://127.0.0.1:1 does not answer. no');
    const other = await examine({ ...doctorPorts, fetch: async () => new Response('hi') });
    expect(other.wrong[0]?.detail).toContain('answers 200');
  });

  it('names a deployment that could not be undone, and how to go on', async () => {
    const { doctorPorts, ports } = await healthy();
    const findStack = async () => ({ ...ports.stack, status: 'UPDATE_ROLLBACK_FAILED' });
    const { exitCode, wrong } = await examine({ ...doctorPorts, findStack });
    expect(exitCode).toBe(1);
    expect(wrong).toMatchObject([
      {
        check: 'stack',
        remedy: expect.stringContaining('continue-update-rollback --stack-name NeuronApi-test'),
      },
    ]);
  });

  it('shows no stack trace, whatever AWS throws', async () => {
    const { doctorPorts } = await healthy();
    const reject = () =>
      Promise.reject(
        Object.assign(new Error('odd'), { name: 'OddError', $metadata: { httpStatusCode: 418 } }),
      );
    const everything = { identity: reject, tableStatus: reject, connect: reject, fetch: reject };
    const { exitCode, wrong } = await examine({ ...doctorPorts, ...everything });
    expect(exitCode).toBe(1);
    expect(wrong.map(({ check }) => check)).toEqual([
      'credentials',
      'tables',
      'secrets',
      'availability',
      'configuration',
      'service and clock',
    ]);
    for (const { detail, remedy } of wrong) {
      expect(detail).not.toMatch(/^\s*at /m);
      expect(remedy).not.toBeNull();
    }
  });

  it('notes the reason of the latest call that was answered 500 configuration', async () => {
    const { ports, doctorPorts } = await healthy();
    const reason = 'claude/us.anthropic.x: configuration (HTTP 403): subscribe the account';
    const entry = (changes: object) =>
      ports.logStore.put(
        logEntry({ outcome: 'failed', status: 500, code: 'configuration', reason, ...changes }),
      );
    await entry({ executionId: 'older', timeMs: NOW_MS - 3_600_000, reason: 'something older' });
    await entry({ executionId: 'newer' });
    await entry({ executionId: 'newest', timeMs: NOW_MS - 1_000, code: 'internal', reason: 'another code' });
    const { exitCode, findings } = await examine(doctorPorts);
    expect(exitCode).toBe(0);
    const { detail, remedy } = findings.find(({ check }) => check === 'configuration')!;
    expect(detail.split('\n').slice(1)).toEqual([`acme/hello: ${reason}`]);
    expect(remedy).not.toBeNull();
  });
});
