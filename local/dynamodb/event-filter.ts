// Decides whether a record passes the filters of an event source mapping.

/**
 * Whether a value matches an event pattern (Lambda Developer Guide, "Filter rule syntax").
 * @throws Error for a rule that is not supported
 */
export function matchesPattern(pattern: unknown, value: unknown): boolean {
  return Object.entries(pattern ?? {}).every(([name, rule]) => {
    if (name === '$or')
      return (rule as readonly unknown[]).some((alternative) => matchesPattern(alternative, value));
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
    const member = isObject ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    if (Array.isArray(rule)) return rule.some((condition) => matchesRule(condition, member));
    return matchesPattern(rule, member);
  });
}

function matchesRule(rule: unknown, value: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return rule === value;
  const [name, argument] = Object.entries(rule)[0] ?? [];
  const text = typeof value === 'string' ? value : undefined;
  switch (name) {
    case 'exists':
      return (value !== undefined) === argument;
    case 'prefix':
      return text?.startsWith(String(argument)) ?? false;
    case 'suffix':
      return text?.endsWith(String(argument)) ?? false;
    case 'equals-ignore-case':
      return text?.toLowerCase() === String(argument).toLowerCase();
    case 'anything-but':
      return value !== undefined && ![argument].flat().some((excluded) => matchesRule(excluded, value));
    case 'numeric':
      return matchesNumbers(argument as readonly unknown[], value);
    default:
      throw new Error(`the filter rule ${JSON.stringify(rule)} is not supported`);
  }
}

// Pairs of operator and operand: [">", 1, "<=", 5]. DynamoDB's numbers are texts.
function matchesNumbers(comparison: readonly unknown[], value: unknown): boolean {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number !== 'number' || Number.isNaN(number)) return false;
  for (let index = 0; index < comparison.length; index += 2) {
    if (!compares(String(comparison[index]), number, Number(comparison[index + 1]))) return false;
  }
  return true;
}

function compares(operator: string, left: number, right: number): boolean {
  switch (operator) {
    case '=':
      return left === right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    default:
      throw new Error(`the operator ${operator} is not supported`);
  }
}
