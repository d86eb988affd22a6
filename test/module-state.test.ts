// No state of a call is in module scope: 64 calls share the modules of a process (docs/decisions/0065-many-calls-in-one-process.md).
import { describe, expect, it } from 'vitest';
import { moduleState } from './module-state.ts';
import { readSources } from './source-tree.ts';

/** By why it holds nothing of a call. */
const ALLOWED = {
  'made once for a process': [
    'lambdas/archive/handler.ts ports',
    'lambdas/authorizer/handler.ts ports',
    'lambdas/authorizer/verification.ts fetchKeySet',
    'lambdas/execute/handler.ts ports',
    'lambdas/heads/handler.ts ports',
    'lambdas/rollouts/handler.ts memory',
    'lambdas/rollouts/handler.ts ports',
    'lambdas/rollup/handler.ts ports',
    'lambdas/traces/handler.ts ports',
    'adapters/platform/standard-output.ts standardOutput',
  ],
  'made of settings or a version, and kept with the object that holds these': [
    'lambdas/execute/guards/load-guards.ts known',
    'lambdas/execute/steps/version.ts contents',
    'adapters/platform/sha256.ts keys',
    'core/cache/flow-traits.ts known',
    'core/flow/accepted.ts known',
    'core/flow/contains.ts compiled',
    'core/flow/least-attempt.ts known',
    'core/flow/stream-mode.ts known',
    'core/settings/names/fill-model.ts filled',
    'core/tests/run/run-guards.ts known',
  ],
  'made of the sources, or of one character': [
    'core/guards/secrets/find.ts BEGINS',
    'core/guards/secrets/find.ts compiled',
    'core/guards/secrets/find.ts rulesByKeyword',
    'core/guards/view.ts plainForms',
    'core/settings/schema-notes.ts schemaNotes',
    'core/surfaces/registry.ts loaded',
  ],
  'a pattern whose place is set before each use, with nothing to wait for between': [
    'core/guards/phrases.ts OPEN_HIDDEN',
    'core/guards/pii/forms.ts IP_MARK',
    'core/guards/pii/phone.ts NUMBER',
    'core/guards/pii/phone.ts OPEN',
    'core/guards/secrets/find.ts BEGINNING',
    'core/guards/view.ts OTHER',
  ],
};

describe('module scope', () => {
  it('of the functions holds no more than what is known to be of no call', () => {
    const found = readSources(['lambdas', 'adapters', 'core']).flatMap(({ path, text }) =>
      moduleState(path, text),
    );
    expect(found.toSorted()).toEqual(Object.values(ALLOWED).flat().toSorted());
  });

  it('that changes is found in each of its forms', () => {
    const forms = [
      'let a;',
      'export let a = 1;',
      'var a = 1;',
      'const a = new Map();',
      'export const a = new WeakMap<object, string>();',
      'const a = []; function f(b) { a.push(b); }',
      'const a = {}; export const f = (b) => { a.last = b; };',
      'const a = { b: { c: 0 } }; const f = () => { a.b.c += 1; };',
      'const a = { n: 0 }; const f = () => a.n++;',
      'const a = new Map([[1, 2]]); const f = () => a.delete(1);',
      'const a = new Uint8Array(8); const f = (b) => { a[0] = b; };',
      'const a = /x/g; const f = (b) => a.test(b);',
      "const a = new RegExp('x', 'uy'); const f = (b) => a.exec(b);",
      'const a = {}; const f = (b) => Object.assign(a, b);',
      'const a = createMemory();',
      'const a = once(() => 1);',
      'const a = lazy(async () => connect());',
      'class a { static last; } const f = (b) => { a.last = b; };',
    ];
    for (const form of forms) expect(moduleState('f.ts', form), form).toEqual(['f.ts a']);
    expect(moduleState('f.ts', 'const f = () => { globalThis.a = 1; };')).toEqual(['f.ts globalThis']);
    expect(moduleState('f.ts', 'const { a } = createMemory();')).toEqual(['f.ts { a }']);
  });

  it('that does not change is not', () => {
    const forms = [
      'const a = 1; function f() { let b = 0; b += 1; const c = []; c.push(b); }',
      "const a = new Set(['b']); const f = (b) => a.has(b);",
      'const a = /x/; const f = (b) => a.test(b);',
      "const a = /x/g; const f = (b) => b.replace(a, '');",
      "const a = lazy(() => import('./b.ts'));",
      'const a = { b: [] }; const f = () => [...a.b].sort();',
    ];
    for (const form of forms) expect(moduleState('f.ts', form), form).toEqual([]);
  });
});
