// `npm run --silent build:sbom`: prints the software bill of materials of the package, in CycloneDX: what it installs, and what is bundled in it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundledPackages } from './bundled-packages.ts';

const ROOT = join(import.meta.dirname, '..', '..');

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn?: readonly string[];
}

/** The members of a CycloneDX document that we read; npm writes more, which are kept. */
export interface Bom {
  readonly serialNumber?: string;
  readonly metadata: { readonly timestamp?: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependency[];
}

/** The name without a version in a purl such as `pkg:npm/%40smithy/core@3.41.0`: `name` is a folder for a workspace. */
function nameOf({ purl }: Component): string {
  return decodeURIComponent(purl.replace('pkg:npm/', '').replace(/@[^@]*$/, ''));
}

function hasProperty({ properties = [] }: Component, name: string): boolean {
  return properties.some((property) => property.name === `cdx:npm:package:${name}`);
}

/** All that the package needs, from its own dependencies on; what only develops it, and the private workspace, are not followed. */
function reach({ metadata, components, dependencies }: Bom, isNeeded: (ref: string) => boolean): Set<string> {
  const listed = new Set(components.map((component) => component['bom-ref']));
  const reached = new Set([metadata.component['bom-ref']]);
  // A set goes through what is added to it meanwhile.
  for (const ref of reached) {
    const next = dependencies.find((dependency) => dependency.ref === ref)?.dependsOn ?? [];
    for (const one of next) if (listed.has(one) && isNeeded(one)) reached.add(one);
  }
  return reached;
}

/**
 * The bill of the whole repository, cut to the package. npm counts a package that is bundled into the page among those that only
 * develop the repository: `bundled` names them. Time and serial number go, so that equal sources give an equal bill.
 */
export function narrow(bom: Bom, bundled: readonly string[]): Bom {
  const byRef = new Map(bom.components.map((component) => [component['bom-ref'], component]));
  const kept = reach(bom, (ref) => {
    const component = byRef.get(ref);
    if (component === undefined || hasProperty(component, 'private')) return false;
    return bundled.includes(nameOf(component)) || !hasProperty(component, 'development');
  });
  const components = bom.components.filter((component) => kept.has(component['bom-ref']));
  const missing = bundled.filter((name) => !components.some((component) => nameOf(component) === name));
  if (missing.length > 0) {
    throw new Error(
      `npm sbom does not list what is bundled: ${missing.join(', ')}. Add it to package.json, and run npm install.`,
    );
  }
  const dependencies = bom.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ dependsOn = [], ...rest }) => ({ ...rest, dependsOn: dependsOn.filter((ref) => kept.has(ref)) }));
  const { serialNumber: _serialNumber, ...document } = bom;
  const { timestamp: _timestamp, component, ...metadata } = bom.metadata;
  return {
    ...document,
    metadata: { ...metadata, component: { ...component, name: nameOf(component) } },
    components,
    dependencies,
  };
}

/** The bill of the package, read from the lock file by npm. */
export async function buildSbom(): Promise<Bom> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-sbom-'));
  try {
    const printed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    });
    return narrow(JSON.parse(printed) as Bom, await findBundledPackages(folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await buildSbom(), null, 2)}\n`);
