// The form of Responses of a model that signs its thoughts.
import { named } from '../../../adapters/providers/streams/protocols.ts';
import type { Asked, Block } from './signing-model.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

export function writeResponse(answer: readonly Block[] | string, isStream: boolean) {
  if (typeof answer === 'string') {
    const error = { message: answer, type: 'invalid_request_error', param: 'input', code: null };
    return { status: 400, headers: JSON_TYPE, pieces: [JSON.stringify({ error })] };
  }
  const output = answer.map(toItem);
  const usage = { input_tokens: 5, output_tokens: 7 };
  const response = { object: 'response', status: 'completed', model: 'm', output, usage };
  if (!isStream) return { headers: JSON_TYPE, pieces: [JSON.stringify(response)] };
  const items = output.map((item, output_index) =>
    named({ type: 'response.output_item.done', ...{ output_index, item } }),
  );
  const end = named({ type: 'response.completed', ...{ response } });
  return { headers: { 'content-type': 'text/event-stream' }, pieces: [...items, end] };
}

function toItem(block: Block, index: number) {
  if ('text' in block) {
    return { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: block.text }] };
  }
  if ('call' in block) {
    const { id: call_id, name, input } = block.call;
    return { type: 'function_call', call_id, name, arguments: JSON.stringify(input) };
  }
  const id = `rs_${index}`;
  if ('thinking' in block) {
    const { text, signature: encrypted_content } = block.thinking;
    return { type: 'reasoning', id, summary: [{ type: 'summary_text', text }], encrypted_content };
  }
  const encrypted_content = 'redacted' in block ? block.redacted : '';
  return { type: 'reasoning', id, summary: [], encrypted_content };
}

interface ResponsesBody {
  readonly model: string;
  readonly include?: readonly string[];
  readonly input: readonly {
    readonly type?: string;
    readonly role?: string;
    readonly name?: string;
    readonly call_id?: string;
    readonly arguments?: string;
    readonly summary?: readonly { readonly text: string }[];
    readonly encrypted_content?: string;
  }[];
}

/** Each item is a turn of its own. */
export function readResponses(body: string): Asked {
  const { model, input, include = [] } = JSON.parse(body) as ResponsesBody;
  const turns = input.map(
    ({
      type,
      role,
      name = '',
      call_id: id = '',
      arguments: args = '{}',
      summary,
      encrypted_content = '',
    }) => {
      const [part] = summary ?? [];
      const thought: Block =
        part === undefined
          ? { redacted: encrypted_content }
          : { thinking: { text: part.text, signature: encrypted_content } };
      if (type === 'reasoning') return { role: 'assistant', blocks: [thought] };
      if (type === 'function_call_output') return { role: 'user', blocks: [{ result: id }] };
      const call: Block = { call: { id, name, input: JSON.parse(args) } };
      if (type === 'function_call') return { role: 'assistant', blocks: [call] };
      return { role: role ?? '', blocks: [{ text: '' }] };
    },
  );
  return { model, turns, thinks: include.includes('reasoning.encrypted_content'), hasBudget: false };
}
