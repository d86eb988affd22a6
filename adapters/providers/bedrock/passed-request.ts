// A request for a message that is passed on, as far as Bedrock takes it.
import type { Omission } from '../../../core/ports/providers.ts';
import { isJsonObject, type JsonObject, toList } from '../../../core/text/json.ts';
import { buildPassedRequest, dropsThinking, type PassedOn } from '../anthropic/passed.ts';

/** Parts of the API that AWS takes (bedrock/latest/userguide/model-parameters-anthropic-claude-messages-request-response.html), without their dates. */
const BETAS = [
  'computer-use',
  'context-1m',
  'context-management',
  'effort',
  'interleaved-thinking',
  'token-efficient-tools',
  'tool-examples',
  'tool-search-tool',
] as const;

/** Members that go with a part of the API: one without the other is rejected. */
const MEMBERS: Readonly<Record<string, (typeof BETAS)[number] | undefined>> = {
  cache_control: undefined,
  context_management: 'context-management',
  max_tokens: undefined,
  messages: undefined,
  metadata: undefined,
  model: undefined,
  output_config: undefined,
  stop_sequences: undefined,
  system: undefined,
  temperature: undefined,
  thinking: undefined,
  tool_choice: undefined,
  tools: undefined,
  top_k: undefined,
  top_p: undefined,
};

const TOOL_MEMBERS: Readonly<Record<string, (typeof BETAS)[number] | undefined>> = {
  allowed_callers: undefined,
  defer_loading: 'tool-search-tool',
  eager_input_streaming: undefined,
  input_examples: 'tool-examples',
};

interface ForBedrock {
  readonly body: JsonObject;
  readonly betas: readonly string[];
  readonly isWhole: boolean;
}

/** The request as far as Bedrock takes it. What belongs to a part that it does not take goes with that part, which is how clients switch one off. */
export function forBedrock(request: PassedOn): ForBedrock {
  const whole = buildPassedRequest(request);
  const asked = request.passed.betas;
  const betas = asked.filter((beta) => BETAS.some((one) => beta.startsWith(`${one}-`)));
  const takes = (part: string | undefined): boolean =>
    part === undefined || betas.some((beta) => beta.startsWith(`${part}-`));
  const isTaken = ([name]: readonly [string, unknown]): boolean =>
    Object.hasOwn(MEMBERS, name) && takes(MEMBERS[name]);
  const isTakenOfTool = ([name]: readonly [string, unknown]): boolean =>
    !Object.hasOwn(TOOL_MEMBERS, name) || (TOOL_MEMBERS[name] !== undefined && takes(TOOL_MEMBERS[name]));
  const entries = Object.entries(whole).filter(isTaken);
  let isWhole = betas.length === asked.length && entries.length === Object.keys(whole).length;
  const tools = toList(whole['tools']).map((tool) => {
    if (!isJsonObject(tool)) return tool;
    const members = Object.entries(tool).filter(isTakenOfTool);
    isWhole &&= members.length === Object.keys(tool).length;
    return Object.fromEntries(members);
  });
  const body = { ...Object.fromEntries(entries), ...(whole['tools'] === undefined ? {} : { tools }) };
  return { body, betas, isWhole };
}

/** The parts of a request that Bedrock does not take. */
export function omissionsOfPassed(request: PassedOn): readonly Omission[] {
  return [
    ...(forBedrock(request).isWhole ? [] : (['betas'] as const)),
    ...(dropsThinking(request) ? (['thinking'] as const) : []),
  ];
}
