// The hook that admits loopback addresses: the bundles read it and have no way to set it.
import { join } from 'node:path';
import { type CallExpression, type Identifier, type Node, parse, type VariableDeclarator } from 'acorn';
import { ancestor } from 'acorn-walk';
import { describe, expect, it } from 'vitest';
import { writeBundle } from '../../../lib/constructs/compute/bundle.ts';
import { readBundle } from '../../support/bundle-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HOOK = 'neuron.loopback';
const folder = temporaryFolder();

/** Every place at which code touches the hook: `name` where it is spelled, else what is done with the variable that holds it. */
function usesOfHook(code: string): string[] {
  const program = parse(code, { ecmaVersion: 'latest', sourceType: 'module' });
  const uses: string[] = [];
  const holders = new Set<string>();
  ancestor(program, {
    Literal(node, _state, ancestors) {
      if (node.value !== HOOK) return;
      const [variable, call] = ancestors.slice(-3) as [Node, Node];
      const isSymbol =
        call.type === 'CallExpression' && calleeOf(call as CallExpression, code) === 'Symbol.for';
      if (!isSymbol || variable.type !== 'VariableDeclarator') uses.push('spelled in another way');
      else holders.add((variable as VariableDeclarator & { id: Identifier }).id.name);
    },
  });
  if (code.split(HOOK).length - 1 !== holders.size) uses.push('spelled in another way');
  ancestor(program, {
    Identifier(node, _state, ancestors) {
      if (!holders.has(node.name)) return;
      const [outer, parent] = ancestors.slice(-3) as [Node, Node];
      const around = code.slice(parent.start, parent.end);
      if (around !== `globalThis[${node.name}]`) uses.push(around);
      else uses.push(isWritten(outer, parent) ? `${around} = …` : 'read');
    },
  });
  return uses;
}

function calleeOf({ callee }: CallExpression, code: string): string {
  return code.slice(callee.start, callee.end);
}

function isWritten(outer: Node, member: Node): boolean {
  if (outer.type === 'UpdateExpression') return true;
  if (outer.type === 'UnaryExpression') return (outer as Node & { operator: string }).operator === 'delete';
  return outer.type === 'AssignmentExpression' && (outer as Node & { left: Node }).left === member;
}

describe('the search for the loopback hook', () => {
  it.each([
    ['const a=Symbol.for("neuron.loopback");globalThis[a]=true;', ['globalThis[a] = …']],
    ['const a=Symbol.for("neuron.loopback");Object.defineProperty(globalThis,a,{value:true});', undefined],
    ['globalThis[Symbol.for("neuron.loopback")]=true;', ['spelled in another way', 'spelled in another way']],
    ['const a="neuron."+"loopback",b=Symbol.for("neuron.loopback");b;', ['b;']],
  ])('finds the uses in %j', (code, found) => {
    const uses = usesOfHook(code);
    expect(uses.length).toBeGreaterThan(0);
    expect(uses).not.toEqual(['read']);
    if (found !== undefined) expect(uses).toEqual(found);
  });
});

describe.each(['authorizer', 'execute'])('the bundle of %s', (name) => {
  writeBundle(`lambdas/${name}/handler.ts`, join(folder, name));
  const codes = readBundle(join(folder, name)).map(({ code }) => code);

  it('reads the hook once and does nothing else with it', () => {
    expect(codes.flatMap(usesOfHook)).toEqual(['read']);
  });

  it('names every global symbol by a literal, so that none is built at run time', () => {
    const built = codes.flatMap((code) =>
      [...code.matchAll(/Symbol\.for\((?!["'`][^"'`$]*["'`]\))[^)]*\)/g)].map(([call]) => call),
    );
    expect(built).toEqual([]);
  });
});
