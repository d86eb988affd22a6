// `neuron doctor`: checks what every other command needs, one line each, with a remedy for each failure.
import { systemClock } from '../../adapters/platform/clock.ts';
import { once } from '../../core/async/once.ts';
import { command, flag } from '../command/command.ts';
import type { CheckResult } from '../json/checks.ts';
import { EXIT, type ExitCode } from '../output/failure.ts';
import { count, type Output } from '../output/print.ts';
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
import { renderCheck, renderFixes, type TargetOptions, toFailedCheck, withFixes } from './doctor-view.ts';
import { listProbes, type ProviderProbe } from './probe-providers.ts';

export const doctor = command({
  name: 'doctor',
  options: {
    probe: flag('--probe', 'also ask each provider for its models, with its key, from this machine'),
    fix: flag('--fix', 'show the command for each finding; nothing is run'),
  },
  async run({ probe, fix }, { options, out, findStack, connect }) {
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
    return runChecks({ args: { ...options, probe, fix }, ports, out });
  },
});

/** A failed check does not keep the others from running. */
export async function runChecks({
  args: { probe, fix = false, ...target },
  ports,
  out,
}: {
  readonly args: Partial<TargetOptions> & { readonly probe: boolean; readonly fix?: boolean };
  readonly ports: DoctorPorts;
  readonly out: Output;
}): Promise<ExitCode> {
  const cached = withOneList(ports);
  const results: CheckResult[] = [];
  const check = async (name: string, run: () => Promise<string | Note>) => {
    const found = await run().then(
      (passed) => ({
        check: name,
        ok: true,
        ...(typeof passed === 'string' ? { detail: passed, remedy: null } : passed),
      }),
      (error: unknown) => toFailedCheck(name, error, target.local),
    );
    const result = withFixes(found, target);
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
  if (fix && !out.json) out.value(undefined, renderFixes(results));
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
