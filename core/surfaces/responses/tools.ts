// Reads the tools of a request for a response: functions, namespaces of functions, and the choice among them.
import type { ToolChoice, ToolDefinition } from '../../conversation/conversation.ts';
import { TOOL_PARAMETERS } from '../../conversation/parse-tools.ts';
import {
  anything,
  choice,
  FLAG,
  invalidAt,
  type LocatedValue,
  list,
  mapped,
  NAME,
  object,
  optional,
  TEXT,
} from '../../conversation/reader.ts';
import { isJsonObject, type JsonObject, textMemberOf } from '../../text/json.ts';

const MAX_TOOLS = 512;

/** The tools that a model is offered, in both forms, and those that nobody here can run. */
export interface ParsedTools {
  readonly tools: readonly ToolDefinition[];
  /** As the caller sent them. */
  readonly offered: readonly JsonObject[];
  /** Paths of hosted tools. */
  readonly leftOut: readonly string[];
}

const FUNCTION = mapped(
  object({
    type: choice(['function']),
    name: NAME,
    description: optional(TEXT),
    parameters: optional(TOOL_PARAMETERS),
    strict: optional(FLAG),
    defer_loading: optional(anything()),
    output_schema: optional(anything()),
    async: optional(anything()),
    allowed_callers: optional(anything()),
  }),
  ({ name, description, parameters, strict }): ToolDefinition => ({
    name,
    ...(description === undefined ? {} : { description }),
    parameters: parameters ?? { type: 'object', properties: {} },
    ...(strict === undefined ? {} : { strict }),
  }),
);

const NAMESPACE = mapped(
  object({
    type: choice(['namespace']),
    name: NAME,
    description: optional(TEXT),
    tools: list(FUNCTION, 1, MAX_TOOLS),
  }),
  ({ name: namespace, tools }) => tools.map((tool): ToolDefinition => ({ ...tool, namespace })),
);

const TOOL_LIST = list(anything(), 0, MAX_TOOLS);

/** Reads one or more lists of tools, as from `tools` and from items that add some. */
export function parseToolLists(lists: readonly LocatedValue[]): ParsedTools {
  const tools: ToolDefinition[] = [];
  const offered: JsonObject[] = [];
  const leftOut: string[] = [];
  const seen = new Set<string>();
  for (const { path, value } of lists) {
    for (const [index, one] of TOOL_LIST.read({ path, value }).entries()) {
      const located = { path: `${path}[${index}]`, value: one };
      const read = readTool(located);
      if (read === undefined) {
        leftOut.push(located.path);
        continue;
      }
      for (const { namespace = '', name } of read) {
        if (seen.has(`${namespace}\n${name}`))
          throw invalidAt(`${located.path}.name`, 'must not be used twice');
        seen.add(`${namespace}\n${name}`);
      }
      tools.push(...read);
      offered.push(repeat(one as JsonObject));
    }
  }
  if (tools.length > MAX_TOOLS) throw invalidAt('tools', `must have at most ${MAX_TOOLS} tools`);
  return { tools, offered, leftOut };
}

/** As the caller sent it, with every member that readers of a response require. */
function repeat(tool: JsonObject): JsonObject {
  if (tool['type'] === 'namespace') return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}

/** Undefined for a tool that OpenAI runs itself: no model here is offered it, so that none can claim to have used it. */
function readTool(located: LocatedValue): readonly ToolDefinition[] | undefined {
  if (!isJsonObject(located.value)) throw invalidAt(located.path, 'must be an object');
  const type = textMemberOf(located.value, 'type');
  if (type === undefined) throw invalidAt(`${located.path}.type`, 'must be a text');
  if (type === 'function') return [FUNCTION.read(located)];
  if (type === 'namespace') return NAMESPACE.read(located);
  if (type === 'custom') {
    throw invalidAt(`${located.path}.type`, 'must be function: tools of free text are not supported');
  }
  return undefined;
}

const MODES = choice(['auto', 'none', 'required']);
const NAMED = object({ type: choice(['function']), name: NAME, namespace: optional(NAME) });
const ALLOWED = object({
  type: choice(['allowed_tools']),
  mode: choice(['auto', 'required']),
  tools: list(NAMED, 1, MAX_TOOLS),
});

/** The choice, and the tools that it leaves. */
export interface ParsedChoice {
  readonly toolChoice?: ToolChoice;
  readonly tools: readonly ToolDefinition[];
}

/** Clients send a mode without tools, too, where it means nothing. */
export function parseToolChoice(
  located: LocatedValue | undefined,
  tools: readonly ToolDefinition[],
): ParsedChoice {
  if (located === undefined) return { tools };
  const { path, value } = located;
  if (typeof value === 'string') {
    const mode = MODES.read(located);
    if (tools.length > 0) return { toolChoice: mode, tools };
    if (mode === 'required') throw invalidAt(path, 'goes with tools that can be called only');
    return { tools };
  }
  if (textMemberOf(value, 'type') === 'allowed_tools') {
    const { mode, tools: named } = ALLOWED.read(located);
    const left = named.map((one, index) => toolOf(tools, one, `${path}.tools[${index}]`));
    return { toolChoice: mode, tools: tools.filter((tool) => left.includes(tool)) };
  }
  const { namespace, name } = toolOf(tools, NAMED.read(located), path);
  return { toolChoice: { ...(namespace === undefined ? {} : { namespace }), name }, tools };
}

function toolOf(
  tools: readonly ToolDefinition[],
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  path: string,
): ToolDefinition {
  const tool = tools.find((one) => one.name === name && one.namespace === namespace);
  if (tool === undefined) throw invalidAt(`${path}.name`, 'must be the name of a tool');
  return tool;
}
