// Redacts in a case what guards find: a file leaves the account, and its reader may be another one than that of the log.
import type { ActiveGuard } from '../../guards/active-guards.ts';
import { createFindCounts } from '../../guards/find-counts.ts';
import { inspectTexts } from '../../guards/inspect-texts.ts';
import { createPlaceholders } from '../../guards/placeholders.ts';
import type { ValidateJson } from '../../ports/platform.ts';
import type { LoggedCase } from './to-case.ts';

/** Every guard redacts what it finds in any text of the caller, whatever it does with a request. */
export function redactCase(
  { name, assert, ...content }: LoggedCase,
  guards: readonly ActiveGuard[],
  validateJson: ValidateJson,
): LoggedCase {
  const redacting = guards
    .filter(({ service, fits }) => service === undefined && fits === undefined)
    .map((guard) => ({ ...guard, action: 'redact' as const, stages: new Set(['input' as const]) }));
  const state = {
    guards: redacting,
    placeholders: createPlaceholders('cases'),
    counts: createFindCounts(),
    validateJson,
    block: () => undefined,
  };
  const redact = <Value>(value: Value) =>
    typeof value === 'string' ? (inspectTexts(state, { stage: 'input' }, [value])[0] ?? '') : value;
  const { input, messages, variables } = content;
  return {
    name,
    ...(input === undefined ? {} : { input: redact(input) }),
    ...(messages === undefined
      ? {}
      : { messages: messages.map(({ role, content: said }) => ({ role, content: redact(said) })) }),
    ...(variables === undefined ? {} : { variables: mapValues(variables, redact) }),
    assert,
  };
}

function mapValues<Value>(
  values: Readonly<Record<string, Value>>,
  change: (value: Value) => Value,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
