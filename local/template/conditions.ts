// Evaluates the conditions of a template.

import type { Scope } from './scope.ts';

/**
 * Evaluates one condition (CloudFormation Template Reference, "Condition functions").
 * @param resolve resolves an operand of `Fn::Equals`
 * @throws Error for anything else
 */
export function evaluateCondition(
  value: unknown,
  scope: Scope,
  resolve: (operand: unknown) => unknown,
): boolean {
  const evaluate = (operand: unknown) => evaluateCondition(operand, scope, resolve);
  if (value === true || value === 'true') return true;
  if (value === false || value === 'false') return false;
  const [name, argument] = Object.entries(value ?? {})[0] ?? [];
  switch (name) {
    case 'Condition':
      return scope.condition(String(argument));
    case 'Fn::Equals': {
      const [left, right] = operands(name, argument, 2, 2).map(resolve);
      return comparable(left) === comparable(right);
    }
    case 'Fn::Not':
      return !evaluate(operands(name, argument, 1, 1)[0]);
    case 'Fn::And':
      return operands(name, argument, 2, 10).every(evaluate);
    case 'Fn::Or':
      return operands(name, argument, 2, 10).some(evaluate);
    default:
      throw new Error(`${name ?? JSON.stringify(value)} is no condition`);
  }
}

/** Finds conditions by name. Each is evaluated once, and a circle is an error. */
export function createConditions(
  conditions: Readonly<Record<string, unknown>>,
  evaluate: (value: unknown, name: string) => boolean,
): (name: string) => boolean {
  const results = new Map<string, boolean | 'evaluating'>();
  return (name) => {
    const known = results.get(name);
    if (known === 'evaluating') throw new Error(`the condition ${name} depends on itself`);
    if (known !== undefined) return known;
    if (!Object.hasOwn(conditions, name)) throw new Error(`there is no condition ${name}`);
    results.set(name, 'evaluating');
    const result = evaluate(conditions[name], name);
    results.set(name, result);
    return result;
  };
}

function operands(name: string, argument: unknown, min: number, max: number): readonly unknown[] {
  if (Array.isArray(argument) && argument.length >= min && argument.length <= max) return argument;
  throw new Error(`${name} takes ${min === max ? min : `${min} to ${max}`} operands`);
}

// 1 and "1" are equal in CloudFormation.
function comparable(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
