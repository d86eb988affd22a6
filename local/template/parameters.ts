// The values of a template's parameters.

import type { TemplateParameter } from './template.ts';

/**
 * The value of a parameter: the given one, else its default; undefined when no parameter has the name.
 * @throws Error when it has no value, or one that only AWS knows
 */
export function parameterValue(
  parameters: Readonly<Record<string, TemplateParameter>>,
  given: Readonly<Record<string, string>>,
  name: string,
): unknown {
  const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (parameter === undefined) return undefined;
  const { Type: type = 'String', Default: fallback } = parameter;
  if (given[name] === undefined && type.startsWith('AWS::SSM::Parameter')) {
    throw new Error(`the parameter ${name} is kept in Parameter Store, which is not here; give it a value`);
  }
  const value = given[name] ?? fallback;
  if (value === undefined) throw new Error(`the parameter ${name} has no default; give it a value`);
  const isList = type === 'CommaDelimitedList' || type.startsWith('List<');
  return isList && typeof value === 'string' ? value.split(',').map((entry) => entry.trim()) : value;
}
