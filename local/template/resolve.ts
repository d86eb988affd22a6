// Replaces every intrinsic function of a value by its result.

import { evaluateCondition } from './conditions.ts';
import { NO_VALUE, pseudoParameter, type Scope } from './scope.ts';

/** An error that names the place: `Stack/LogicalId.Properties.Code: …`. */
export class ResolveError extends Error {
  constructor(place: string, message: string) {
    super(`${place}: ${message}`);
    this.name = 'ResolveError';
  }
}

/**
 * Resolves a value of a template, at any depth. A property that resolves to `AWS::NoValue` is left out.
 * @param place named in errors
 * @throws ResolveError for an unknown function, wrong arguments, or a name that does not exist
 */
export function resolveValue(value: unknown, scope: Scope, place: string): unknown {
  if (typeof value === 'string') return rejectDynamicReference(value, place);
  if (Array.isArray(value)) {
    return value
      .map((entry, index) => resolveValue(entry, scope, `${place}[${index}]`))
      .filter((entry) => entry !== NO_VALUE);
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const [only] = members;
  if (only !== undefined && members.length === 1 && (only[0] === 'Ref' || only[0].startsWith('Fn::'))) {
    return callFunction(only[0], only[1], scope, place);
  }
  return Object.fromEntries(
    members
      .map(([name, member]) => [name, resolveValue(member, scope, `${place}.${name}`)] as const)
      .filter(([, member]) => member !== NO_VALUE),
  );
}

function callFunction(name: string, argument: unknown, scope: Scope, place: string): unknown {
  const fn = FUNCTIONS[name];
  if (fn === undefined) throw new ResolveError(place, `the intrinsic function ${name} is not supported`);
  try {
    return fn(argument, scope, `${place}.${name}`);
  } catch (error) {
    if (error instanceof ResolveError) throw error;
    throw new ResolveError(place, `${name}: ${(error as Error).message}`);
  }
}

type IntrinsicFunction = (argument: unknown, scope: Scope, place: string) => unknown;

// CloudFormation Template Reference, "Intrinsic function reference".
const FUNCTIONS: Readonly<Record<string, IntrinsicFunction>> = {
  Ref: (name, scope) => ref(asText(name), scope),
  'Fn::GetAtt': (argument, scope, place) => {
    const [logicalId, ...attribute] =
      typeof argument === 'string'
        ? argument.split('.')
        : asList(resolveValue(argument, scope, place)).map(asText);
    return scope.attribute(logicalId ?? '', attribute.join('.'));
  },
  'Fn::Join': (argument, scope, place) => {
    const [delimiter, parts] = resolveList(argument, scope, place, 2);
    return asList(parts).map(asText).join(asText(delimiter));
  },
  'Fn::Split': (argument, scope, place) => {
    const [delimiter, text] = resolveList(argument, scope, place, 2);
    return asText(text).split(asText(delimiter));
  },
  'Fn::Select': (argument, scope, place) => {
    const [index, list] = resolveList(argument, scope, place, 2);
    const chosen = asList(list)[Number(index)];
    if (chosen === undefined) throw new Error(`there is no entry ${asText(index)}`);
    return chosen;
  },
  'Fn::Sub': (argument, scope, place) => {
    const [template, variables] = Array.isArray(argument) ? argument : [argument, {}];
    return substitute(asText(template), resolveValue(variables ?? {}, scope, place), scope);
  },
  'Fn::If': (argument, scope, place) => {
    const [condition, whenTrue, whenFalse] = asList(argument, 3);
    return resolveValue(scope.condition(asText(condition)) ? whenTrue : whenFalse, scope, place);
  },
  'Fn::FindInMap': (argument, scope, place) => findInMap(resolveList(argument, scope, place), scope),
  'Fn::Base64': (argument, scope, place) =>
    Buffer.from(asText(resolveValue(argument, scope, place))).toString('base64'),
  'Fn::ImportValue': (argument, scope, place) =>
    scope.importValue(asText(resolveValue(argument, scope, place))),
  'Fn::GetAZs': (argument, scope, place) => {
    const region = asText(resolveValue(argument, scope, place)) || scope.pseudo.region;
    return ['a', 'b', 'c'].map((zone) => `${region}${zone}`);
  },
  'Fn::Equals': condition('Fn::Equals'),
  'Fn::And': condition('Fn::And'),
  'Fn::Or': condition('Fn::Or'),
  'Fn::Not': condition('Fn::Not'),
};

function condition(name: string): IntrinsicFunction {
  return (argument, scope, place) =>
    evaluateCondition({ [name]: argument }, scope, (operand) => resolveValue(operand, scope, place));
}

function ref(name: string, scope: Scope): unknown {
  return pseudoParameter(scope, name) ?? scope.parameter(name) ?? scope.physicalId(name);
}

// `${Name}` is a Ref, `${Name.Attribute}` a GetAtt, `${!Name}` stays as `${Name}`.
function substitute(template: string, variables: unknown, scope: Scope): string {
  const own = variables as Readonly<Record<string, unknown>>;
  return template.replaceAll(/\$\{([^}]*)\}/g, (_whole, expression: string) => {
    if (expression.startsWith('!')) return `\${${expression.slice(1)}}`;
    const name = expression.trim();
    if (Object.hasOwn(own, name)) return asText(own[name]);
    const dot = name.indexOf('.');
    if (dot < 0) return asText(ref(name, scope));
    return asText(scope.attribute(name.slice(0, dot), name.slice(dot + 1)));
  });
}

function findInMap(names: readonly unknown[], scope: Scope): unknown {
  const [map = '', top = '', second = ''] = names.slice(0, 3).map(asText);
  const mapping = scope.mappings[map] as Record<string, Record<string, unknown>> | undefined;
  const found = mapping?.[top]?.[second];
  if (found === undefined) throw new Error(`there is no ${[map, top, second].join('.')} in Mappings`);
  return found;
}

function resolveList(argument: unknown, scope: Scope, place: string, length?: number): readonly unknown[] {
  return asList(resolveValue(argument, scope, place), length);
}

function asList(value: unknown, length?: number): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error('expected a list');
  if (length !== undefined && value.length !== length) throw new Error(`expected ${length} entries`);
  return value;
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new Error('expected a text');
}

// CloudFormation looks up `{{resolve:ssm:…}}` and the like in services that are not here.
function rejectDynamicReference(text: string, place: string): string {
  if (!text.includes('{{resolve:')) return text;
  throw new ResolveError(place, 'dynamic references ({{resolve:…}}) are not supported');
}
