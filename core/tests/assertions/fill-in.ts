// Fills the variables of a case into the values of its assertions.
import type { Assertion, SingleAssertion } from '../../settings/tests/assertion-schema.ts';
import type { TestCase } from '../../settings/tests/tests-schema.ts';

type Variables = NonNullable<TestCase['variables']>;

const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*)\s*\}\}/g;

/** The same assertion with values in place of `{{name}}`; what was inserted is not read again. */
export function fillIn(assertion: Assertion, variables: Variables): Assertion {
  if (assertion.type === 'assert-set')
    return { ...assertion, assert: assertion.assert.map((one) => fillInSingle(one, variables)) };
  return fillInSingle(assertion, variables);
}

function fillInSingle<Single extends SingleAssertion>(assertion: Single, variables: Variables): Single {
  if (!('value' in assertion) || isPattern(assertion)) return assertion;
  const { value } = assertion;
  const fill = (one: unknown): unknown =>
    typeof one === 'string'
      ? one.replaceAll(PLACEHOLDER, (whole, name: string) =>
          Object.hasOwn(variables, name) ? String(variables[name]) : whole,
        )
      : one;
  return { ...assertion, value: Array.isArray(value) ? value.map(fill) : fill(value) };
}

/** A pattern may have braces of its own. */
function isPattern({ type }: SingleAssertion): boolean {
  return type === 'regex' || type === 'not-regex';
}

/** The names that the values of an assertion ask for. */
export function namesIn(assertion: Assertion): readonly string[] {
  if (assertion.type === 'assert-set') return assertion.assert.flatMap(namesIn);
  if (!('value' in assertion) || isPattern(assertion)) return [];
  const values: readonly unknown[] = Array.isArray(assertion.value) ? assertion.value : [assertion.value];
  return values.flatMap((value) =>
    typeof value === 'string' ? [...value.matchAll(PLACEHOLDER)].map(([, name = '']) => name) : [],
  );
}
