// Reports what the guards of settings files look at, when the files are validated and when they are applied.
import type { Change, NeuronInput, SettingsInput } from '../../core/admin/apply/changes.ts';
import { coverageOfDocuments, type GuardCoverage } from '../../core/admin/guards/coverage.ts';
import type { ListedCoverage } from '../json/guards.ts';
import type { Output } from '../output/print.ts';
import { renderTarget } from '../session/target.ts';
import { renderCoverage, toListedCoverage } from './coverage-view.ts';

/** Finds the document of an organization; undefined where it is not known. */
export type FindOrganization = (slug: string) => unknown;

/** Undefined for a neuron without guards, and where it cannot be told. */
export function findCoverage(
  { organization, settings, flow }: NeuronInput,
  findOrganization: FindOrganization,
): GuardCoverage | undefined {
  const document = findOrganization(organization);
  if (document === undefined) return undefined;
  return coverageOfDocuments({ organization: document, neuron: settings, flow });
}

/** True where a guard must see a whole answer before any of it leaves. */
export function waitsForGuard(neuron: NeuronInput, findOrganization: FindOrganization): boolean {
  return (findCoverage(neuron, findOrganization)?.stream?.guards.length ?? 0) > 0;
}

/** For `--json`. */
export function listCoverage(
  neurons: readonly NeuronInput[],
  findOrganization: FindOrganization,
): readonly ListedCoverage[] {
  return neurons.flatMap((input) => {
    const coverage = findCoverage(input, findOrganization);
    return coverage === undefined ? [] : [toListedCoverage(nameOf(input), coverage)];
  });
}

/** Prints a note for each neuron with guards. */
export function reportCoverage(
  neurons: readonly NeuronInput[],
  {
    findOrganization,
    isBuffered,
  }: { readonly findOrganization: FindOrganization; readonly isBuffered: boolean },
  out: Pick<Output, 'message'>,
): void {
  for (const input of neurons) {
    const name = nameOf(input);
    const coverage = findCoverage(input, findOrganization);
    if (coverage === undefined) {
      const isUnknown =
        input.settings.guards !== undefined && findOrganization(input.organization) === undefined;
      if (isUnknown)
        out.message(`Guards of ${name} are not shown: its organization is in none of these files.`);
    } else out.message(renderCoverage(name, coverage, isBuffered));
  }
}

/** The neurons whose guards, or whose flows, the changes touch. */
export function findTouched(
  changes: readonly Change[],
  neurons: readonly NeuronInput[],
): readonly NeuronInput[] {
  const touched = new Set(changes.flatMap((change) => ('neuron' in change ? [renderTarget(change)] : [])));
  const organizations = new Set(
    changes.flatMap((change) => (changesGuards(change) ? [change.organization] : [])),
  );
  return neurons.filter((one) => organizations.has(one.organization) || touched.has(nameOf(one)));
}

function changesGuards(change: Change): boolean {
  if (change.kind !== 'update_organization') return false;
  const before = change.record.document as Partial<typeof change.after>;
  const partOf = ({ guards, mandatory }: typeof before) => JSON.stringify([guards, mandatory]);
  return partOf(before) !== partOf(change.after);
}

function nameOf({ organization, slug }: NeuronInput): string {
  return renderTarget({ organization, neuron: slug });
}

/** Finds it in the files, and else in the store. */
export function organizationsOf(
  { organizations }: Pick<SettingsInput, 'organizations'>,
  stored: ReadonlyMap<string, unknown> = new Map(),
): FindOrganization {
  const documents = new Map(organizations.map(({ slug, document }) => [slug, document]));
  return (slug) => documents.get(slug) ?? stored.get(slug);
}
