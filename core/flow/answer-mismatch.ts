// Whether an answer is one that was asked for: of the schema, and of tools that were offered. Where it is not, it is described in words that
// quote neither the answer nor a caller.

import { ServiceError } from '../contract/service-error.ts';
import { invalidAt } from '../conversation/reader.ts';
import type { SchemaMismatch, ValidateJson } from '../ports/platform.ts';
import type { ModelRequest, ModelResult, RequestMember } from '../ports/providers.ts';
import { withDoubles } from '../text/exact-json.ts';
import { isJsonObject, type JsonObject, parseJson, toJsonObject } from '../text/json.ts';

/** `ofCaller`: the members of the request that the caller had set. */
interface AskedCall {
  readonly request: Pick<ModelRequest, 'schema' | 'json' | 'tools'>;
  /** True where `json` was asked for in words alone. */
  readonly checksJson?: boolean;
  readonly ofCaller: ReadonlySet<RequestMember>;
}

/**
 * Undefined for an answer that fits, that calls tools that were offered, that is none of text, that was not to fit anything, or that was cut before it fit a caller's schema. Throws
 * `ServiceError` where the schema itself cannot be checked, and what `checkTime` throws.
 */
export async function describeMismatch(
  result: ModelResult,
  { request, ofCaller, checksJson = false }: AskedCall,
  validateJson: ValidateJson,
  checkTime: () => void,
): Promise<string | undefined> {
  const { text, finish, toolCalls = [] } = result;
  if (toolCalls.some(({ name }) => !isOffered(name, request))) return 'calls a tool that was not offered';
  if (finish === 'toolCalls' || finish === 'filtered') return undefined;
  if (checksJson && request.json === true && finish !== 'length') {
    return isJsonText(text) ? undefined : 'is no JSON object';
  }
  const { schema } = request;
  if (schema === undefined) return undefined;
  // Cut, it is what the caller asked for, and the finish reason says so; another attempt would be cut as well, and paid for.
  const isOfCaller = ofCaller.has('schema');
  if (finish === 'length' && isOfCaller) return undefined;
  const mismatch = await mismatchOf(text, (value) =>
    validateJson(withDoubles(schema.schema) as JsonObject, value, checkTime),
  );
  if (mismatch === undefined) return undefined;
  if ('unchecked' in mismatch) throw uncheckedError(mismatch.unchecked, isOfCaller);
  if (finish === 'length') return 'was cut by maxTokens before it fit the schema';
  const known = isOfCaller ? new Set<string>() : namesIn(schema.schema);
  return `does not fit the schema at ${withoutUnknown(mismatch.path, known)}`;
}

function isJsonText(text: string): boolean {
  try {
    return isJsonObject(JSON.parse(text));
  } catch {
    return false;
  }
}

async function mismatchOf(
  text: string,
  validate: (value: unknown) => ReturnType<ValidateJson>,
): Promise<SchemaMismatch | undefined> {
  const value = parseJson(text);
  return value === undefined ? { path: '/' } : validate(value);
}

/** Another attempt would come to the same, and be paid for. */
function uncheckedError(why: 'cost' | 'schema', isOfCaller: boolean): ServiceError {
  if (isOfCaller) {
    const must =
      why === 'cost' ? 'takes too long to check against an answer: make it simpler' : 'cannot be read';
    return invalidAt('responseFormat.json_schema.schema', must);
  }
  const reason =
    why === 'cost' ? 'outputSchema takes too long to check: make it simpler' : 'outputSchema cannot be read';
  return new ServiceError('configuration', { reason });
}

/** A model names members as it likes, and a caller those of a schema: only the operator's own names and small indexes are told. */
function withoutUnknown(path: string, known: ReadonlySet<string>): string {
  return path
    .split('/')
    .map((part) => (part === '' || /^\d{1,4}$/.test(part) || known.has(part) ? part : '*'))
    .join('/');
}

/** Names of properties anywhere in a schema of settings, which is bounded when it is applied. */
function namesIn(value: unknown): ReadonlySet<string> {
  if (Array.isArray(value)) return new Set(value.flatMap((entry: unknown) => [...namesIn(entry)]));
  const schema = toJsonObject(value);
  if (schema === undefined) return new Set();
  const own = Object.keys(toJsonObject(schema['properties']) ?? {});
  return new Set([...own, ...Object.values(schema).flatMap((member) => [...namesIn(member)])]);
}

type OfferedTools = Pick<ModelRequest, 'tools'>;

export function isOffered(name: string, { tools = [] }: OfferedTools): boolean {
  return tools.some((tool) => tool.name === name);
}
