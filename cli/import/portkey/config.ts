// The members of Portkey's gateway configuration that are read (portkey.ai/docs/api-reference/inference-api/config-object). Others stay, to be listed.
import * as z from 'zod/mini';

const text = z.optional(z.nullable(z.string()));
const amount = z.optional(z.nullable(z.number()));
const callMembers = {
  provider: text,
  virtual_key: text,
  api_key: text,
  custom_host: text,
  azure_resource_name: text,
  azure_deployment_id: text,
  aws_region: text,
  vertex_project_id: text,
  vertex_region: text,
  openai_organization: text,
  openai_project: text,
  name: text,
  weight: amount,
  request_timeout: amount,
  override_params: z.optional(z.nullable(z.record(z.string(), z.unknown()))),
  retry: z.optional(z.nullable(z.looseObject({ attempts: amount }))),
  cache: z.optional(z.nullable(z.looseObject({ mode: text, max_age: amount }))),
};
const strategy = z.looseObject({
  mode: text,
  default: text,
  conditions: z.optional(z.array(z.record(z.string(), z.unknown()))),
});

/** A target's words on its provider and on the call. */
export type Call = { readonly [Name in keyof typeof callMembers]?: z.output<(typeof callMembers)[Name]> };

/** A target may be a whole configuration. */
export interface PortkeyConfig extends Call {
  readonly strategy?: z.output<typeof strategy> | null | undefined;
  readonly targets?: readonly PortkeyConfig[] | null | undefined;
}

const configSchema: z.ZodMiniType<PortkeyConfig> = z.looseObject({
  ...callMembers,
  strategy: z.optional(z.nullable(strategy)),
  targets: z.optional(z.nullable(z.array(z.lazy(() => configSchema)))),
});

/** A configuration with the name that its file gives it. */
export interface NamedConfig {
  readonly name: string;
  readonly config: PortkeyConfig;
  /** Names that callers send for it, where a condition asks for them. */
  readonly models?: readonly string[];
}

type Parsed = { readonly configs: readonly NamedConfig[] } | { readonly problem: string };

/** Nested deeper than any gateway would follow. */
const MAX_DEPTH = 20;

/**
 * One configuration, or a list of them as Portkey's API has it: `{ data: [{ name, config }] }`, where `config` may be text.
 * `name`: what a configuration without a name is called.
 */
export function parseConfigs(value: unknown, name: string): Parsed {
  const list = isObject(value) && Array.isArray(value['data']) ? (value['data'] as unknown[]) : value;
  const entries: readonly unknown[] = Array.isArray(list) ? list : [list];
  const configs: NamedConfig[] = [];
  for (const [index, entry] of entries.entries()) {
    const named = isObject(entry) && 'config' in entry;
    const inner = named ? fromText(entry['config']) : entry;
    const where = Array.isArray(list) ? `[${index}]` : 'the file';
    if (!isObject(inner) || depthOf(inner) > MAX_DEPTH) return { problem: `${where} is no configuration` };
    const parsed = configSchema.safeParse(inner);
    const [issue] = parsed.error?.issues ?? [];
    if (!parsed.success) return { problem: `${where}: ${issue?.path.join('.')}: ${issue?.message}` };
    const own = named ? (entry['name'] ?? entry['slug'] ?? entry['id']) : parsed.data.name;
    const plain = entries.length === 1 ? name : `${name}-${index + 1}`;
    configs.push({ name: typeof own === 'string' && own !== '' ? own : plain, config: parsed.data });
  }
  return configs.length === 0 ? { problem: 'it has no configuration' } : { configs };
}

function fromText(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

function depthOf(value: unknown): number {
  if (!isObject(value) || !Array.isArray(value['targets'])) return 1;
  return 1 + Math.max(0, ...value['targets'].map(depthOf));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
