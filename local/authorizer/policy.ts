// Evaluates the policy of a Lambda authorizer.

import { isObject } from '../json.ts';

/** A policy whose parts are all supported. */
export interface Policy {
  readonly statements: readonly Statement[];
}

interface Statement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
}

/** `explicit deny`: a statement forbids it; `implicit deny`: none allows it. */
type PolicyDecision = 'allow' | 'explicit deny' | 'implicit deny';

// API Gateway Developer Guide, "Output from an API Gateway Lambda authorizer": a Resource has at most 512 characters.
const MAX_RESOURCE_LENGTH = 512;
// IAM also has conditions and inverted forms. Ignoring them could allow too much.
const MEMBERS = new Set(['Sid', 'Effect', 'Action', 'Resource']);

/**
 * Reads a policy document (IAM User Guide, "Grammar of the IAM JSON policy language").
 * @returns undefined for anything else, and for a policy with unsupported parts
 */
export function readPolicy(value: unknown): Policy | undefined {
  if (!isObject(value)) return undefined;
  const version = value['Version'];
  if (version !== '2012-10-17' && version !== '2008-10-17') return undefined;
  const list = Array.isArray(value['Statement']) ? value['Statement'] : [value['Statement']];
  const statements = list.map(readStatement);
  return statements.every((statement) => statement !== undefined) ? { statements } : undefined;
}

/** Evaluates the policy for a method; an explicit denial wins (IAM User Guide, "Policy evaluation logic"). */
export function evaluatePolicy(policy: Policy, methodArn: string): PolicyDecision {
  let decision: PolicyDecision = 'implicit deny';
  for (const statement of policy.statements) {
    if (!statement.actions.some((action) => matches(action, 'execute-api:invoke'))) continue;
    if (!statement.resources.some((resource) => matches(resource, methodArn))) continue;
    if (statement.effect === 'Deny') return 'explicit deny';
    decision = 'allow';
  }
  return decision;
}

function readStatement(value: unknown): Statement | undefined {
  if (!isObject(value) || !Object.keys(value).every((name) => MEMBERS.has(name))) return undefined;
  const effect = value['Effect'];
  const actions = readTexts(value['Action']);
  const resources = readTexts(value['Resource']);
  if ((effect !== 'Allow' && effect !== 'Deny') || actions === undefined || resources === undefined)
    return undefined;
  if (resources.some((resource) => resource.length > MAX_RESOURCE_LENGTH)) return undefined;
  return { effect, actions: actions.map((action) => action.toLowerCase()), resources };
}

function readTexts(value: unknown): readonly string[] | undefined {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.length > 0 && list.every((member) => typeof member === 'string')
    ? (list as string[])
    : undefined;
}

/** Whether a pattern with `*` (any characters) and `?` (one character) covers the whole text, in linear space. */
export function matches(pattern: string, text: string): boolean {
  let at = 0;
  let star = -1;
  let retry = 0;
  let index = 0;
  while (index < text.length) {
    const next = pattern[at];
    if (next === '*') {
      star = at;
      retry = index;
      at += 1;
    } else if (next === '?' || next === text[index]) {
      at += 1;
      index += 1;
    } else if (star >= 0) {
      at = star + 1;
      retry += 1;
      index = retry;
    } else return false;
  }
  while (pattern[at] === '*') at += 1;
  return at === pattern.length;
}
