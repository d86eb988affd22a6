// Names under which callers of an organization's URL choose a neuron: its slug, ORGANIZATION/NEURON, and the names that its settings list.
import * as z from 'zod/mini';
import { isSlug } from '../../contract/slugs.ts';
import { noted } from '../schema-notes.ts';

/** Printable ASCII: no two names look alike, none needs folding or normalizing, and none can be part of a header or a log line of its own. */
const NAME = /^[!-~](?:[ -~]{0,198}[!-~])?$/;

/** Longest text before a `*`: each shorter one is looked for in the same read. */
const MAX_WILDCARD_PREFIX = 40;

/** A name of a neuron's `models`, in which `*` at the end stands for any text. */
const LISTED_NAME = /^(?:[!-)+-~](?:[ -)+-~]{0,198}[!-)+-~])?|(?:[!-)+-~][ -)+-~]{0,39})?\*)$/;

/** Names that one neuron can have: all of them are written with the neuron, in one transaction. */
const MAX_NAMES = 20;

/** The end of a name that chooses a version. */
const REVISION = /@(v[1-9][0-9]{0,8})$/;

const listedName = noted(
  z.string().check(
    z.refine((text) => explainListedName(text) === undefined, {
      error: ({ input }) => explainListedName(String(input)),
    }),
  ),
  { pattern: LISTED_NAME.source, examples: ['gpt-4.1-mini', 'claude-*'] },
);

/** `models` of a neuron's settings. */
export const modelNames = z.array(listedName).check(
  z.minLength(1),
  z.maxLength(MAX_NAMES),
  z.refine((names) => new Set(names).size === names.length, { error: 'must not have a name twice' }),
);

/** Why a text cannot be one of `models`; undefined for a name that can. */
function explainListedName(text: string): string | undefined {
  if (!LISTED_NAME.test(text)) {
    return `must be printable ASCII without a space at its ends, such as gpt-4.1-mini: at most 200 characters, or at most ${MAX_WILDCARD_PREFIX} and a * at the end, such as claude-*`;
  }
  return REVISION.test(text) ? 'must not end in @v and a number, which chooses a version' : undefined;
}

export function isWildcard(name: string): boolean {
  return name.endsWith('*');
}

/** The names of a list that can be sent as they are. */
export function wholeNamesOf(names: readonly string[] = []): readonly string[] {
  return names.filter((name) => !isWildcard(name));
}

/** The names in a stored document, which no schema has looked at yet; none that could not have been stored. */
export function storedNamesOf(document: unknown): readonly string[] {
  const models: unknown = (document as { readonly models?: unknown } | null | undefined)?.models;
  const parsed = modelNames.safeParse(models);
  return parsed.success ? parsed.data : [];
}

/** Whether a name of `models` stands for the name that a caller sent. Cases of letters count. */
export function matchesName(listed: string, name: string): boolean {
  return isWildcard(listed) ? name.startsWith(listed.slice(0, -1)) : name === listed;
}

/** The names of `models` that could stand for a caller's name: itself, then each wildcard, longest first. */
export function listedNamesFor(name: string): readonly string[] {
  const longest = Math.min(name.length, MAX_WILDCARD_PREFIX);
  const wildcards = Array.from({ length: longest + 1 }, (_, index) => `${name.slice(0, longest - index)}*`);
  return name.endsWith('*') ? wildcards : [name, ...wildcards];
}

/** A caller's `model`, its version apart. */
export interface ChosenName {
  readonly name: string;
  /** Undefined where the deployed version is meant. */
  readonly revision: string | undefined;
}

/** Undefined for a text that no neuron can be called by. */
export function parseChosenName(model: string): ChosenName | undefined {
  if (model.length > 220) return undefined;
  const revision = REVISION.exec(model)?.[1];
  const name = revision === undefined ? model : model.slice(0, -revision.length - 1);
  return NAME.test(name) ? { name, revision } : undefined;
}

/** The slug that a name spells by itself or after its organization's; undefined for any other name. */
export function slugInName(name: string, organization: string): string | undefined {
  const start = `${organization}/`;
  const slug = name.startsWith(start) ? name.slice(start.length) : name;
  return isSlug(slug) ? slug : undefined;
}

/**
 * The name that `{{model}}` stands for: the caller's where the neuron lists it, else the first that the neuron lists whole; undefined where
 * there is none. A neuron's own slug is its address, which `*` does not make a name.
 */
export function nameToSend(
  models: readonly string[] | undefined,
  { name, isSlug: isAddress }: { readonly name: string; readonly isSlug: boolean },
): string | undefined {
  if (models?.includes(name) && !isWildcard(name)) return name;
  const isListed = !isAddress && models?.some((listed) => matchesName(listed, name)) === true;
  return isListed ? name : wholeNamesOf(models)[0];
}
