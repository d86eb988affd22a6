// Conditions of Portkey's routing: each target becomes a neuron, which callers choose by name.
import type { Note } from '../write-imported.ts';
import type { NamedConfig } from './config.ts';
import { inherit } from './plan.ts';

/** A configuration without conditions as it is; else one for each target, with the models that its condition asks for. */
export function splitConditions(named: NamedConfig, note: Note): NamedConfig[] {
  const { strategy, targets, ...around } = named.config;
  if (strategy?.mode !== 'conditional') return [named];
  const conditions = strategy.conditions ?? [];
  return (targets ?? []).map((target, index) => {
    const own = target.name ?? `${index + 1}`;
    const asked = conditions.filter((one) => one['then'] === own).map((one) => one['query']);
    const models = asked.flatMap(modelsIn);
    const name = `${named.name} ${own}`;
    if (asked.some((query) => modelsIn(query).length === 0))
      note(
        `strategy.conditions: ${own}`,
        `nothing looks at such a condition: callers choose the neuron of ${name}`,
      );
    return { name, config: inherit(around, target), ...(models.length === 0 ? {} : { models }) };
  });
}

/** `{ 'params.model': { $eq: 'gpt-4o' } }` and `$in`; none for conditions on anything else. */
function modelsIn(query: unknown): string[] {
  const entries = typeof query === 'object' && query !== null ? Object.entries(query) : [];
  const [only, ...others] = entries as readonly (readonly [string, unknown])[];
  if (only === undefined || others.length > 0 || only[0] !== 'params.model') return [];
  const value = (typeof only[1] === 'object' && only[1] !== null ? only[1] : { $eq: only[1] }) as Readonly<
    Record<string, unknown>
  >;
  const listed = '$eq' in value ? [value['$eq']] : value['$in'];
  return Array.isArray(listed) ? listed.filter((one): one is string => typeof one === 'string') : [];
}
