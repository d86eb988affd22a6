// Prepares a template, runs it, and replaces it by a newer one without touching the stores.

import { join } from 'node:path';
import {
  type Application,
  type ApplicationSettings,
  type FinishStacks,
  startApplication,
} from './application.ts';
import { applyCustomResources, readCustomResources, readCustomResults } from './events/custom-resources.ts';
import { checkResources } from './resources/check.ts';
import { loadAssembly } from './template/load.ts';
import { type CustomResourceResult, resolveStacks } from './template/resolve-stacks.ts';
import type { ResolvedStack } from './template/types.ts';

/** Where templates come from. */
interface TemplateSource {
  readonly assembly: string;
  readonly region: string;
  readonly accountId: string;
  readonly parameters?: Readonly<Record<string, string>> | undefined;
  readonly dataFolder: string;
  readonly log: (line: string) => void;
  readonly detail: (line: string) => void;
}

/** A template that was read, resolved and held against the lists. */
interface PreparedTemplate {
  readonly stacks: readonly ResolvedStack[];
  readonly finish: FinishStacks;
}

/** A template that runs, whichever it is at the moment. */
export interface RunningTemplate {
  current(): Application;
  /** Switches to the newer template; when that cannot be run, the old one continues. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Reads the assembly.
 * @throws LocalFailure `ASSEMBLY_UNREADABLE` or `TEMPLATE_NOT_SUPPORTED`
 */
export function prepareTemplate(source: TemplateSource): PreparedTemplate {
  const templates = loadAssembly(source.assembly);
  const file = join(source.dataFolder, 'custom-resources.json');
  const resolveWith = (customResources: ReadonlyMap<string, CustomResourceResult>) =>
    resolveStacks(templates, {
      region: source.region,
      accountId: source.accountId,
      parameters: source.parameters ?? {},
      customResources,
      inlineCodeFolder: join(source.dataFolder, 'inline-code'),
    });
  const known = readCustomResults(file);
  const stacks = resolveWith(known);
  for (const line of checkResources(stacks)) source.detail(line);
  const finish: FinishStacks = async (functions) => {
    if (known.size === 0 && readCustomResources(stacks).length === 0) return stacks;
    const { invoke, has } = functions;
    const results = await applyCustomResources({ stacks, file, invoke, hasFunction: has, log: source.log });
    const isSame = JSON.stringify([...results]) === JSON.stringify([...known]);
    return isSame ? stacks : resolveWith(results);
  };
  return { stacks, finish };
}

/**
 * Runs a template.
 * @param prepareNext reads the newer one for `reload`
 * @throws what `startApplication` throws
 */
export async function runTemplate(
  first: PreparedTemplate,
  prepareNext: () => PreparedTemplate,
  settings: ApplicationSettings,
): Promise<RunningTemplate> {
  let prepared = first;
  let application = await startApplication(first.stacks, first.finish, settings);
  // The port that was free at the start is the one that callers know.
  const again = { ...settings, port: application.port };
  const reload = async () => {
    const next = prepareNext();
    await application.stop();
    try {
      application = await startApplication(next.stacks, next.finish, again);
      prepared = next;
    } catch (error) {
      application = await startApplication(prepared.stacks, prepared.finish, again);
      throw error;
    }
  };
  let last: Promise<void> = Promise.resolve();
  return {
    current: () => application,
    // One after the other: two reloads at once would fight for the port.
    reload: () => {
      last = last.catch(() => undefined).then(reload);
      return last;
    },
    stop: async () => {
      await last.catch(() => undefined);
      await application.stop();
    },
  };
}
