// Tests of event filters, on the examples of the Lambda Developer Guide, "Filter rule syntax".
import { describe, expect, it } from 'vitest';
import { matchesPattern } from '../../dynamodb/mapping.ts';

const EVENT = { eventName: 'INSERT', dynamodb: { NewImage: { price: { N: '10' }, name: { S: 'Tea pot' } } } };
const name = (rule: unknown) => ({ dynamodb: { NewImage: { name: { S: [rule] } } } });
const price = (rule: unknown) => ({ dynamodb: { NewImage: { price: { N: [rule] } } } });

describe('matchesPattern', () => {
  it.each([
    ['an empty pattern', {}, true],
    ['a value of the list', { eventName: ['REMOVE', 'INSERT'] }, true],
    ['no value of the list', { eventName: ['REMOVE'] }, false],
    ['two members that both hold', { eventName: ['INSERT'], ...name('Tea pot') }, true],
    ['two members of which one does not', { eventName: ['INSERT'], ...name('Cup') }, false],
    ['exists', { dynamodb: { NewImage: { price: { N: [{ exists: true }] } } } }, true],
    ['does not exist', { dynamodb: { OldImage: { price: { N: [{ exists: false }] } } } }, true],
    ['prefix', name({ prefix: 'Tea' }), true],
    ['another prefix', name({ prefix: 'tea' }), false],
    ['suffix', name({ suffix: 'pot' }), true],
    ['equals-ignore-case', name({ 'equals-ignore-case': 'TEA POT' }), true],
    ['anything-but', name({ 'anything-but': ['Cup'] }), true],
    ['anything-but the value', name({ 'anything-but': ['Tea pot'] }), false],
    ['anything-but of what is not there', { other: [{ 'anything-but': ['x'] }] }, false],
    ['numeric within', price({ numeric: ['>', 5, '<=', 10] }), true],
    ['numeric beyond', price({ numeric: ['<', 10] }), false],
    ['$or with one that holds', { $or: [{ eventName: ['REMOVE'] }, { eventName: ['INSERT'] }] }, true],
  ])('evaluates %s', (_name, pattern, expected) => {
    expect(matchesPattern(pattern, EVENT)).toBe(expected);
  });

  it('refuses an unknown rule', () => {
    expect(() => matchesPattern({ eventName: [{ wildcard: 'I*' }] }, EVENT)).toThrow('is not supported');
  });
});
