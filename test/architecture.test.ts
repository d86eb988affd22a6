// Holds the layers: who may import whom, no cycles, sizes, names, and what the domain may not touch.
import { describe, expect, it } from 'vitest';
import { findCycles, functionsLongerThan, type Import, readSources, type SourceFile } from './source-tree.ts';

const SOURCE_FOLDERS = ['bin', 'lib', 'lambdas', 'core', 'adapters', 'client', 'cli', 'local', 'console'];
const LOCAL_TESTS = 'local/test/';
const sources = readSources(SOURCE_FOLDERS).filter(({ path }) => !path.startsWith(LOCAL_TESTS));
const proofs = readSources(['test', 'bench', 'examples', LOCAL_TESTS]);

const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;
const MAX_LOCAL_IMPORTS = 12;
const MAX_FOLDER_FILES = 25;
/** Files whose only work is to bring others together; they may import as many as they bring. */
const COMPOSITION_ROOTS: readonly string[] = [
  'cli/program.ts',
  'cli/session/compose.ts',
  // The list of the ports that it brings.
  'cli/session/ports.ts',
  'lambdas/execute/compose.ts',
  'lambdas/execute/serve.ts',
  'lambdas/authorizer/compose.ts',
  'lambdas/rollup/compose.ts',
  'lib/constructs/neuron-service.ts',
  'lib/index.ts',
  'console/app.tsx',
];

/** Which folders of the repository each folder may import; types may be taken from `types` besides. */
const MAY_IMPORT: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types?: readonly string[] }>
> = {
  core: { values: ['core/'] },
  adapters: {
    values: [
      'adapters/',
      'core/contract/',
      'core/text/',
      'core/time/',
      'core/async/',
      'core/conversation/',
      'core/settings/',
      'core/ports/',
    ],
    types: ['core/'],
  },
  // What only operators need stays out of the bundles: no core/admin.
  lambdas: {
    values: [
      'lambdas/',
      'adapters/',
      'core/contract/',
      'core/text/',
      'core/time/',
      'core/async/',
      'core/conversation/',
      'core/settings/',
      'core/surfaces/',
      'core/ports/',
      'core/idempotency/',
      'core/access/',
      'core/limits/',
      'core/rollouts/',
      'core/feedback/',
      'core/cache/',
      'core/flow/',
      'core/guards/',
      'core/pricing/',
      'core/logs/',
      'core/usage/',
      'core/alerts/',
    ],
  },
  lib: {
    values: [
      'lib/',
      'core/contract/',
      'core/surfaces/',
      'core/settings/',
      'core/admin/diagnostic.ts',
      'core/admin/validate/',
      'adapters/files/',
      'adapters/yaml/',
      'lambdas/environment.ts',
    ],
  },
  local: { values: ['local/'] },
  cli: { values: ['cli/', 'core/', 'adapters/', 'client/'] },
  client: { values: ['client/'] },
  bin: { values: [''] },
  // Runs in a browser: of the rest it knows shapes, and which characters a page must not show as they are.
  console: {
    values: ['console/', 'core/text/unsafe-characters.ts'],
    types: ['cli/console/api.ts', 'cli/json/', 'core/contract/', 'core/ports/'],
  },
};

/** What core may take from outside the repository. */
const CORE_PACKAGES: Readonly<Record<string, readonly string[] | 'all'>> = {
  'zod/mini': 'all',
  re2js: 'all',
  'node:crypto': ['createHash', 'createHmac', 'hash', 'timingSafeEqual'],
  // They compute; what connects is named by no file of core.
  'node:net': ['BlockList', 'isIP'],
};

/** What core/admin may take besides: it is in no function. */
const ADMIN_PACKAGES: typeof CORE_PACKAGES = {
  // The Public Suffix List.
  tldts: ['parse'],
};

const BANNED_NAMES = /(?:^|\/)(?:utils?|common|shared|helpers?|misc|services)(?:\.|\/|$)/;
const FORBIDDEN_IN_CORE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.random\b|\brandomUUID\b|\bconsole\.|\bprocess\.|\bfetch\(|\bset(?:Timeout|Interval|Immediate)\b|\bAbortSignal\.timeout\b/;
const ANY = /(?::|\bas|<)\s*any\b(?!\w)/;
const SUPPRESSION = /@ts-ignore|@ts-nocheck|@ts-expect-error(?!\s+\S+\s+\S+)|biome-ignore(?![^:]*:\s*\S{3,})/;

/** Source text without comments and without the content of strings on one line. */
function codeOf(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
    .replaceAll(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''");
}

function folderOf(path: string): string {
  return path.split('/')[0] ?? '';
}

function isAllowed(file: SourceFile, { target, typeOnly }: Import): boolean {
  if (target === undefined) return true;
  const rule = MAY_IMPORT[folderOf(file.path)];
  const allowed = [...(rule?.values ?? []), ...(typeOnly ? (rule?.types ?? []) : [])];
  return allowed.some((prefix) => target.startsWith(prefix));
}

function violations(predicate: (file: SourceFile, imported: Import) => boolean): string[] {
  return sources.flatMap((file) =>
    file.imports
      .filter((imported) => predicate(file, imported))
      .map((imported) => `${file.path} → ${imported.specifier}`),
  );
}

describe('imports', () => {
  it('finds the source files at all', () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(
      sources.some(({ imports }) =>
        imports.some(({ target }) => target === 'core/contract/service-error.ts'),
      ),
    ).toBe(true);
  });

  it('go only where the layers allow', () => {
    expect(violations((file, imported) => !isAllowed(file, imported))).toEqual([]);
  });

  it('lead to no other function of lambdas/', () => {
    const foreign = violations(({ path }, { target }) => {
      const own = /^lambdas\/([^/]+)\//.exec(path)?.[1];
      const other = /^lambdas\/([^/]+)\//.exec(target ?? '')?.[1];
      return own !== undefined && other !== undefined && own !== other;
    });
    expect(foreign).toEqual([]);
  });

  it('of core take only what the domain may use from outside', () => {
    const foreign = violations(({ path }, { specifier, target, typeOnly, names }) => {
      if (!path.startsWith('core/') || target !== undefined || typeOnly) return false;
      const isAdmin = path.startsWith('core/admin/');
      const allowed = CORE_PACKAGES[specifier] ?? (isAdmin ? ADMIN_PACKAGES[specifier] : undefined);
      return allowed === undefined || (allowed !== 'all' && !names.every((name) => allowed.includes(name)));
    });
    expect(foreign).toEqual([]);
  });

  it('of the client take no package and no node: module', () => {
    expect(
      violations(({ path }, { target }) => path.startsWith('client/src/') && target === undefined),
    ).toEqual([]);
  });

  it('of a network module are only in adapters/http, the local run and the server of the console', () => {
    const network = /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns|dns\/promises)$|^undici$|^axios$/;
    const elsewhere = violations(
      ({ path }, { specifier, typeOnly, names }) =>
        !typeOnly &&
        network.test(specifier) &&
        // Lists of addresses in core/settings, which connect to nothing.
        !(specifier === 'node:net' && names.every((name) => CORE_PACKAGES['node:net']?.includes(name))) &&
        !path.startsWith('adapters/http/') &&
        !path.startsWith('local/') &&
        // Listens on loopback for the operator's own browser.
        !['cli/console/server.ts', 'cli/console/guard.ts'].includes(path),
    );
    expect(elsewhere).toEqual([]);
  });

  it('of the page take no module of Node', () => {
    const foreign = violations(
      ({ path }, { specifier }) => path.startsWith('console/') && specifier.startsWith('node:'),
    );
    expect(foreign).toEqual([]);
  });

  it('make no cycle', () => {
    expect(findCycles(sources)).toEqual([]);
  });

  it(`are at most ${MAX_LOCAL_IMPORTS} local ones a file, but for composition roots`, () => {
    const wide = sources
      .filter(({ path }) => !COMPOSITION_ROOTS.includes(path))
      .map(({ path, imports }) => ({
        path,
        count: new Set(imports.flatMap(({ target }) => target ?? [])).size,
      }))
      .filter(({ count }) => count > MAX_LOCAL_IMPORTS);
    expect(wide).toEqual([]);
  });

  it('are never of a handler, which only its bundle may load, and the tests that give it all of its ports', () => {
    const imported = [...sources, ...proofs].flatMap(({ path, imports }) =>
      imports.filter(({ target }) => /^lambdas\/[^/]+\/handler\.ts$/.test(target ?? '')).map(() => path),
    );
    expect(imported).toEqual(['test/lambdas/execute/streams/execution.ts']);
  });
});

describe('sizes', () => {
  it(`are at most ${MAX_FILE_LINES} lines a file`, () => {
    const long = [...sources, ...proofs]
      .filter(({ lines }) => lines > MAX_FILE_LINES)
      .map(({ path, lines }) => `${path} ${lines}`);
    expect(long).toEqual([]);
  });

  it(`are at most ${MAX_FOLDER_FILES} source files a folder`, () => {
    const folders = Map.groupBy(sources, ({ path }) => path.slice(0, path.lastIndexOf('/')));
    const full = [...folders].filter(([, files]) => files.length > MAX_FOLDER_FILES);
    expect(full.map(([folder, files]) => `${folder} ${files.length}`)).toEqual([]);
  });

  it(`are at most ${MAX_FUNCTION_LINES} lines a function`, () => {
    expect(sources.flatMap((file) => functionsLongerThan(file, MAX_FUNCTION_LINES))).toEqual([]);
    // Every source is parsed: seconds of CPU.
  }, 120_000);
});

describe('names and words', () => {
  it('say what a file is for: no utils, common, shared, helpers, misc or services', () => {
    expect([...sources, ...proofs].map(({ path }) => path).filter((path) => BANNED_NAMES.test(path))).toEqual(
      [],
    );
  });

  it('are in kebab case', () => {
    const odd = [...sources, ...proofs]
      .map(({ path }) => path)
      .filter((path) => !/^[a-z0-9./-]+$/.test(path));
    expect(odd).toEqual([]);
  });

  it('of every source file begin with what it is for', () => {
    const silent = sources.filter(
      ({ text }) => !/^(?:#!.*\n)?(?:'use strict';\n)?(?:\/\/ \S|\/\*\*? \S)/.test(text),
    );
    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it('of core touch no process, network, clock, chance, console or timer', () => {
    const touching = sources.filter(
      ({ path, text }) => path.startsWith('core/') && FORBIDDEN_IN_CORE.test(codeOf(text)),
    );
    expect(touching.map(({ path }) => path)).toEqual([]);
  });

  it('extend no String: V8 would read the characters of every text of the process five times as slowly', () => {
    expect(sources.filter(({ text }) => /extends String\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('hold no `any` and no suppression without a reason', () => {
    const bad = [...sources, ...proofs].filter(
      ({ path, text }) =>
        path !== 'test/architecture.test.ts' && (ANY.test(codeOf(text)) || SUPPRESSION.test(text)),
    );
    expect(bad.map(({ path }) => path)).toEqual([]);
  });
});
