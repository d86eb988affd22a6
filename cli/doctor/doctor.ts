// `neuron doctor`: checks what every other command needs, one line each, with a remedy for each failure.
import { systemClock } from '../../adapters/platform/clock.ts';
import { once } from '../../core/async/once.ts';
import { command, flag } from '../command/command.ts';
import type { CheckResult } from '../json/checks.ts';
import { EXIT, type ExitCode, toCommandFailure } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
import { printableText } from '../output/printable.ts';
import { readPackageVersion } from '../session/package-version.ts';
import {
  checkAvailability,
  checkConfiguration,
  checkSecrets,
  checkService,
  checkTables,
  type DoctorPorts,
  describeStack,
  type Note,
} from './checks.ts';
import { listProbes, type ProviderProbe } from './probe-providers.ts';

export const doctor = command({
  name: 'doctor',
  description: 'Checks credentials, stack, tables, secrets, clock and versions.',
  options: {
    probe: flag('--probe', 'also ask each provider for its models, with its key, from this machine'),
  },
  async run({ probe }, { options, out, findStack, connect }) {
    const { readCallerIdentity, readTableStatus } = await import('../session/aws-account.ts');
    const { openHttp } = await import('../session/open-http.ts');
    const ports: DoctorPorts = {
      version: readPackageVersion(),
      nodeVersion: process.versions.node,
      clock: systemClock,
      fetch: globalThis.fetch,
      identity: () => readCallerIdentity(options),
      findStack,
      tableStatus: async (table) => readTableStatus(await findStack(), table),
      connect,
      openHttp,
    };
    return runChecks({ args: { local: options.local, probe }, ports, out });
  },
});

/** A failed check does not keep the others from running. */
export async function runChecks({
  args: { local, probe },
  ports,
  out,
}: {
  readonly args: { readonly local: string | undefined; readonly probe: boolean };
  readonly ports: DoctorPorts;
  readonly out: Output;
}): Promise<ExitCode> {
  const cached = withOneList(ports);
  const results: CheckResult[] = [];
  const check = async (name: string, run: () => Promise<string | Note>) => {
    const result = await run().then(
      (found) => ({
        check: name,
        ok: true,
        ...(typeof found === 'string' ? { detail: found, remedy: null } : found),
      }),
      (error: unknown) => toFailedCheck(name, error, local),
    );
    results.push(result);
    out.value(result, renderCheck(result, out));
    return result.ok;
  };
  await check('versions', async () => `neuron ${ports.version} on Node.js ${ports.nodeVersion}`);
  await check('credentials', ports.identity);
  if (await check('stack', async () => describeStack(await ports.findStack()))) {
    await check('tables', () => checkTables(ports));
    await check('secrets', () => checkSecrets(cached));
    await check('availability', () => checkAvailability(cached));
    await check('configuration', () => checkConfiguration(cached));
    await check('service and clock', () => checkService(ports));
    if (probe) {
      const probes: ProviderProbe[] = [];
      await check('providers', async () => {
        probes.push(...(await listProbes(cached)));
        return `${count(probes.length, 'provider')} in the settings`;
      });
      for (const { name, run } of probes) await check(`provider ${name}`, run);
    }
  }
  return results.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
}

/** Reads the list of organizations once for all checks, since that reads the whole table of settings. */
function withOneList(ports: DoctorPorts): DoctorPorts {
  const connect = once(async () => {
    const connected = await ports.connect();
    const { store } = connected;
    return { ...connected, store: { ...store, listOrganizations: once(() => store.listOrganizations()) } };
  });
  return { ...ports, connect };
}

function toFailedCheck(check: string, error: unknown, local: string | undefined): CheckResult {
  const { what, why, remedy = null } = toCommandFailure(error, local).detail;
  return { check, ok: false, detail: why === undefined ? what : `${what} ${why}`, remedy };
}

function renderCheck({ check, ok, detail, remedy }: CheckResult, { paint }: Output): string {
  const passed = remedy === null ? paint('green', 'ok  ') : paint('yellow', 'note');
  const mark = ok ? passed : paint('red', 'fail');
  const lines = [`${check}: ${detail}`, ...(remedy === null ? [] : [remedy])];
  return `${mark} ${printableText(lines.join('\n')).replaceAll('\n', '\n     ')}`;
}
