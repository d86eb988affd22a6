// Reads keys of another system from a file of JSON lines, all or none.
import * as z from 'zod/mini';
import { digestOf } from '../../core/access/api-key.ts';
import { findForeignKeyFlaw } from '../../core/access/foreign-key.ts';
import type { NeuronRecord } from '../../core/ports/administration.ts';
import type { StoredKey } from '../../core/ports/keys.ts';
import { members } from '../../core/settings/members.ts';
import { matchesName, storedNamesOf } from '../../core/settings/names/model-names.ts';
import { MAX_KEY_TAGS, tagsSchema } from '../../core/settings/names/tags.ts';
import { toIso } from '../../core/time/iso.ts';
import { CommandFailure } from '../output/failure.ts';
import { count } from '../output/print.ts';
import { parseKeyName, parseNeuronChoice } from './key-arguments.ts';
import { collectLimits } from './key-limits.ts';

const keySchema = members({
  key: z.optional(z.string()),
  digest: z.optional(
    z.string().check(z.regex(/^[0-9a-f]{64}$/, { error: 'must be SHA-256 in hexadecimal, lower case' })),
  ),
  name: z.string(),
  neurons: z.optional(z.array(z.string())),
  limits: z.optional(z.array(z.string())),
  tags: z.optional(tagsSchema(MAX_KEY_TAGS)),
  expiresAt: z.optional(z.iso.datetime({ error: 'must be a time such as 2027-01-31T00:00:00Z' })),
});

/** A key of the file, ready to be stored but for its id. */
export interface ForeignKey {
  readonly digest: string;
  readonly rest: Pick<StoredKey, 'name' | 'neurons' | 'neuronPatterns' | 'usageLimits' | 'tags'> & {
    readonly expiresAt: string;
  };
}

interface Surroundings {
  readonly neurons: readonly NeuronRecord[];
  readonly expiresAt: string;
}

/** Throws `CommandFailure` with every line that is wrong. A message quotes no key. */
export function readForeignKeys(
  text: string,
  file: string,
  surroundings: Surroundings,
): readonly ForeignKey[] {
  const failures: string[] = [];
  const seen = new Map<string, number>();
  const read = text.split('\n').flatMap((line, index): ForeignKey[] => {
    if (line.trim() === '') return [];
    try {
      const key = readKey(line, surroundings);
      const before = seen.get(key.digest);
      if (before !== undefined) throw new Error(`is the key of line ${before} again`);
      seen.set(key.digest, index + 1);
      return [key];
    } catch (thrown) {
      failures.push(`line ${index + 1}: ${(thrown as Error).message}`);
      return [];
    }
  });
  if (failures.length === 0) return read;
  throw new CommandFailure({
    what: `${file} has ${count(failures.length, 'line')} that cannot be used. Nothing was taken over.`,
    why: failures.slice(0, 20).join('\n'),
    remedy: 'Mend these lines, or take them out and create new keys for them with `neuron keys create`.',
  });
}

function readKey(line: string, { neurons, expiresAt }: Surroundings): ForeignKey {
  const { data, error } = keySchema.safeParse(parseLine(line));
  if (data === undefined) {
    const [issue] = error.issues;
    throw new Error([...(issue?.path ?? []), issue?.message ?? 'is wrong'].join(' '));
  }
  if ((data.key === undefined) === (data.digest === undefined))
    throw new Error('must have either key or digest');
  const flaw = data.key === undefined ? undefined : findForeignKeyFlaw(data.key);
  if (flaw !== undefined) throw new Error(`the key ${flaw}`);
  const limits = (data.limits ?? []).reduce<StoredKey['usageLimits']>(
    (before, limit) => [...collectLimits(limit, before)],
    undefined,
  );
  return {
    digest: data.digest ?? digestOf(data.key ?? ''),
    rest: {
      name: parseKeyName(data.name),
      expiresAt: data.expiresAt === undefined ? expiresAt : toIso(Date.parse(data.expiresAt)),
      ...(data.neurons === undefined ? {} : findAll(data.neurons, neurons)),
      ...(limits === undefined ? {} : { usageLimits: limits }),
      ...(data.tags === undefined ? {} : { tags: data.tags }),
    },
  };
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw new Error('is no JSON object');
  }
}

/** By slug, by pattern of slugs, or by a name of `models`, which apps of another gateway know. */
function findAll(
  words: readonly string[],
  neurons: readonly NeuronRecord[],
): Pick<StoredKey, 'neurons' | 'neuronPatterns'> {
  const patterns = words.filter((word) => word.endsWith('*'));
  if (patterns.length > 0) parseNeuronChoice(patterns.join(','));
  const ids = words
    .filter((word) => !word.endsWith('*'))
    .map((word) => {
      const found =
        neurons.find(({ slug }) => slug === word) ??
        neurons.find(({ document }) => storedNamesOf(document).some((name) => matchesName(name, word)));
      if (found === undefined) throw new Error(`no neuron has the name ${JSON.stringify(word.slice(0, 80))}`);
      return found.id;
    });
  return {
    neurons: [...new Set(ids)],
    ...(patterns.length === 0 ? {} : { neuronPatterns: patterns }),
  };
}
