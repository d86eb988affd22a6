// Templates and mapping expressions without Velocity: text with variables, which are inserted unescaped.

/** The values of variables; undefined if there is none. */
export interface Variables {
  /** @param path `['a', 'b']` for `context.a.b` */
  readonly context: (path: readonly string[]) => string | undefined;
  readonly stageVariable: (name: string) => string | undefined;
  readonly requestParameter: (place: 'header' | 'path' | 'querystring', name: string) => string | undefined;
}

/** A parsed expression; gives undefined if the variable has no value. */
export type Substitution = (variables: Variables) => string | undefined;

const VARIABLE = /\$(context|stageVariables|method\.request)((?:\.[\w-]+)+)/g;
const REQUEST_PLACES = new Set(['header', 'path', 'querystring']);

/**
 * Parses a body template with the variables `$context.x`, `$stageVariables.x` and `$method.request.header.x`; one without a value
 * becomes empty (API Gateway Developer Guide, "Gateway responses": "a non-VTL mapping template" with "simple variable substitutions").
 */
export function parseTemplate(template: string): (variables: Variables) => string {
  const parts: (string | Substitution)[] = [];
  let from = 0;
  for (const match of template.matchAll(VARIABLE)) {
    const variable = toSubstitution(match[1] ?? '', (match[2] ?? '').slice(1).split('.'));
    if (variable === undefined) continue;
    parts.push(template.slice(from, match.index), variable);
    from = match.index + match[0].length;
  }
  parts.push(template.slice(from));
  return (variables) => {
    let text = '';
    for (const part of parts) text += typeof part === 'string' ? part : (part(variables) ?? '');
    return text;
  };
}

/**
 * Parses the value of a header mapping: `'literal'`, `context.x`, `stageVariables.x` or `method.request.header.x` (API
 * Gateway Developer Guide, "x-amazon-apigateway-gateway-responses.responseParameters" and "Parameter mapping").
 * @returns undefined for any other expression
 */
export function parseExpression(expression: string): Substitution | undefined {
  if (expression.length >= 2 && expression.startsWith("'") && expression.endsWith("'")) {
    const literal = expression.slice(1, -1);
    return () => literal;
  }
  const match = /^(context|stageVariables|method\.request)((?:\.[\w-]+)+)$/.exec(expression);
  return match === null ? undefined : toSubstitution(match[1] ?? '', (match[2] ?? '').slice(1).split('.'));
}

function toSubstitution(root: string, path: readonly string[]): Substitution | undefined {
  if (root === 'context') return (variables) => variables.context(path);
  const name = path.slice(root === 'stageVariables' ? 0 : 1).join('.');
  if (root === 'stageVariables') return (variables) => variables.stageVariable(name);
  const place = path[0] ?? '';
  if (!REQUEST_PLACES.has(place) || name === '') return undefined;
  return (variables) => variables.requestParameter(place as 'header' | 'path' | 'querystring', name);
}
