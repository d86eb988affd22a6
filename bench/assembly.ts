// Synthesizes the app and finds the bundles of its functions.
import { join } from 'node:path';
import { type ResolvedStack, readStacks } from 'run-template-locally';
import { synthesize } from '../bin/start/synthesize.ts';
import { readBundle, sizesOf } from '../test/support/bundle-files.ts';

export const ROOT = join(import.meta.dirname, '..');

/** The functions on the request path, by the beginning of their logical ids. */
const NAMES = { Authorizer: 'authorizer', Executor: 'execution' } as const;

/** One bundled function. */
export interface Bundle {
  readonly name: (typeof NAMES)[keyof typeof NAMES];
  readonly file: string;
  /** Size of the code that the function loads at start. */
  readonly startBytes: number;
  /** Size of all its code. */
  readonly bytes: number;
  /** The template's environment. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The templates of the stage `prod` and their bundles. */
export async function loadBundles(): Promise<{ stacks: readonly ResolvedStack[]; bundles: Bundle[] }> {
  const folder = join(ROOT, '.local', 'cdk', 'bench');
  await synthesize({
    root: ROOT,
    folder,
    stage: 'prod',
    transferMode: undefined,
  });
  const stacks = readStacks(folder);
  const functions = stacks.flatMap(({ resources }) =>
    resources.filter(({ type }) => type === 'AWS::Lambda::Function'),
  );
  return {
    stacks,
    bundles: functions.flatMap(({ logicalId, properties, metadata }) => {
      const [, name] = Object.entries(NAMES).find(([start]) => logicalId.startsWith(start)) ?? [];
      if (name === undefined) return [];
      const asset = String(metadata['aws:asset:path']);
      const { start, all } = sizesOf(readBundle(asset));
      const { Variables } = properties['Environment'] as { Variables: Record<string, string> };
      const file = join(asset, 'index.mjs');
      return [{ name, file, startBytes: start, bytes: all, environment: Variables }];
    }),
  };
}
