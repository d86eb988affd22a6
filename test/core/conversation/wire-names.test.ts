// Tools of namespaces have one name at a provider, unlike every other, and their own two names in an answer.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistantMessage, userMessage } from '../../../core/conversation/conversation.ts';
import { nameTools, withWireNames } from '../../../core/conversation/wire-names.ts';
import '../../support/property-runs.ts';

const tool = (name: string, namespace?: string) => ({
  name,
  parameters: {},
  ...(namespace === undefined ? {} : { namespace }),
});

describe('the names of tools', () => {
  it('stay without namespaces, as do the conversation and its calls', () => {
    const part = { tools: [tool('look_up')], messages: [userMessage('Hi')] };
    expect(withWireNames(part, nameTools(part.tools))).toBe(part);
  });

  it('are joined with their namespace, everywhere', () => {
    const tools = [tool('look_up', 'mcp'), tool('look_up')];
    const names = nameTools(tools);
    const messages = [
      assistantMessage('', [{ id: 'a', namespace: 'mcp', name: 'look_up', arguments: {} }]),
      assistantMessage('', [{ id: 'b', namespace: 'gone', name: 'look_up', arguments: {} }]),
    ];
    const choice = { toolChoice: { namespace: 'mcp', name: 'look_up' } };
    expect(withWireNames({ tools, messages, ...choice }, names)).toEqual({
      tools: [tool('mcp__look_up'), tool('look_up')],
      messages: [
        assistantMessage('', [{ id: 'a', name: 'mcp__look_up', arguments: {} }]),
        assistantMessage('', [{ id: 'b', name: 'gone__look_up', arguments: {} }]),
      ],
      toolChoice: { name: 'mcp__look_up' },
    });
    const call = { id: 'c', name: 'mcp__look_up', arguments: {} };
    expect(names.fromWire(call)).toEqual({ ...call, namespace: 'mcp', name: 'look_up' });
  });

  it('are told apart where their joined names are the same', () => {
    const tools = [tool('b__c', 'a'), tool('c', 'a__b'), tool('a__b__c')];
    const { toWire } = nameTools(tools);
    expect(tools.map(toWire)).toEqual(['a__b__c_2', 'a__b__c_3', 'a__b__c']);
  });

  it('are of at most 64 characters, each once, and lead back to their tool', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/);
    const some = fc.uniqueArray(
      fc.record({
        namespace: fc.constantFrom('x'.repeat(64), 'a', 'a__'),
        name: fc.oneof(name, fc.constant('f')),
      }),
      { minLength: 1, maxLength: 20, selector: (one) => JSON.stringify(one) },
    );
    fc.assert(
      fc.property(some, (pairs) => {
        const names = nameTools(pairs.map((one) => ({ ...one, parameters: {} })));
        const wired = pairs.map(names.toWire);
        expect(new Set(wired).size).toBe(pairs.length);
        for (const [index, wire] of wired.entries()) {
          expect(wire).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
          expect(names.fromWire({ id: 'a', name: wire, arguments: {} })).toMatchObject(pairs[index] ?? {});
        }
      }),
    );
  });
});
