// Opens the guards of a settings file, and the services that they ask, for a measurement outside a stack.

import { resolve } from 'node:path';
import { createGuardServices } from '../../../adapters/guards/index.ts';
import { isPhoneNumber } from '../../../adapters/phone/is-phone-number.ts';
import { systemClock } from '../../../adapters/platform/clock.ts';
import { openWholeHttp } from '../../../cli/session/open-http.ts';
import { renderDiagnosticLine, validateFiles } from '../../../cli/settings/validate-files.ts';
import type { AlonePorts } from '../../../core/admin/guards/ask-alone.ts';
import { type ActiveGuard, activeGuards } from '../../../core/guards/active-guards.ts';
import { costOfUsage, findPrice } from '../../../core/pricing/cost.ts';
import type { Guard } from '../../../core/settings/guards/guards-schema.ts';
import { type Organization, organizationSchema } from '../../../core/settings/organization-schema.ts';

export interface OpenedGuard {
  readonly settings: Guard;
  readonly active: ActiveGuard;
}

interface OpenedConfig {
  /** By name; without those of type `schema`, which look for nothing in texts. */
  readonly guards: ReadonlyMap<string, OpenedGuard>;
  readonly ports: AlonePorts;
}

/** An organization's library. `slug` is needed where the file has several. Throws for a file that `neuron validate` would not take. */
export async function openConfig(path: string, slug: string | undefined): Promise<OpenedConfig> {
  const organization = await readOrganization(path, slug);
  const library = Object.entries(organization.guards ?? {}).filter(([, { type }]) => type !== 'schema');
  const open = createGuardServices({
    secrets: { read: async (_organization, _purpose, name) => process.env[variableOf(name)] },
    // A service on this machine is what most of those without an account are.
    http: (await openWholeHttp({ local: '.' })).http,
    clock: systemClock,
  });
  return {
    guards: new Map(
      library.map(([name, settings]) => [name, { settings, active: activate(name, settings) }]),
    ),
    ports: {
      clock: systemClock,
      open: (guard) => open(guard, { organizationId: 'report', providers: organization.providers }),
      costOfModel(provider, model, usage) {
        const price = findPrice(organization, provider, model);
        return price === undefined ? null : costOfUsage(usage, price);
      },
    },
  };
}

/** The environment variable with the value of a secret: `GUARDS_SECRET_AZURE_CS` for `azure-cs`. */
export const variableOf = (secret: string): string =>
  `GUARDS_SECRET_${secret.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`;

async function readOrganization(path: string, slug: string | undefined): Promise<Organization> {
  const { input, errors } = await validateFiles(
    { paths: [resolve(path)], overlays: [], folder: process.cwd() },
    { addresses: { allowLoopback: true }, maxDeadlineMs: 240_000, transferMode: 'STREAM' },
  );
  if (errors.length > 0)
    throw new Error(`${path} is invalid:\n${errors.map(renderDiagnosticLine).join('\n')}`);
  const found = input.organizations.filter((one) => slug === undefined || one.slug === slug);
  const [only] = found;
  if (only === undefined || found.length > 1)
    throw new Error(
      `${path} has ${found.length} organizations${slug === undefined ? '' : ` ${slug}`}, not one. Pass --organization with a slug of it.`,
    );
  return organizationSchema.parse(only.document);
}

function activate(name: string, settings: Guard): ActiveGuard {
  const use = { use: name, on: ['input' as const, 'toolResults' as const], action: 'block' as const };
  const [active] = activeGuards(
    { organization: { guards: { [name]: settings } }, neuron: { guards: [use] } },
    { isPhoneNumber },
  );
  if (active === undefined) throw new Error(`${name} is no guard that can be run`);
  return active;
}
