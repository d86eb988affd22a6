// Bodies that are made to cost work before any limit is asked, by their kind. AWS takes at most 6 MB.

/** The default of `maxInputBytes`. */
export const MAX_INPUT_BYTES = 262_144;

const tool = (members: string) =>
  `{"input":"x","tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object",${members}}}}]}`;
const call = (text: string) =>
  `{"messages":[{"role":"user","content":"a"},{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":${JSON.stringify(text)}}}]}]}`;
const schema = (members: string) =>
  `{"input":"x","responseFormat":{"type":"json_schema","json_schema":{"name":"s","schema":{${members}}}}}`;

/** Longer texts are no sealed thoughts of the service. */
const MAX_SEALED = 1_000_000;
const sealed = (bytes: number, one: string) =>
  `nr1.${Buffer.from(`[${repeat(Math.min(bytes, MAX_SEALED) / 1.4, one)}0]`).toString('base64url')}`;

/** So many entries of one kind that no more may be there, and then blanks. */
const entries = (bytes: number, one: (index: number) => string) =>
  `${Array.from({ length: 9_990 }, (_, index) => `${one(index)},`).join('')}${' '.repeat(bytes)}`;

/** As often as it fits into so many bytes. */
function repeat(bytes: number, one: string | ((index: number) => string)): string {
  if (typeof one === 'string') return one.repeat(bytes / one.length);
  return Array.from({ length: bytes / one(99_999).length }, (_, index) => one(index)).join('');
}

/** Each of about so many bytes, and none that a neuron without `accepts` would run. */
export const HOSTILE_BODIES: Readonly<Record<string, (bytes: number) => string>> = {
  'empty lists in a tool': (bytes) => tool(`"x":[${repeat(bytes, '[],')}0]`),
  'choices in a schema': (bytes) => schema(`"anyOf":[${repeat(bytes, '{},')}{}]`),
  'nested choices in a schema': (bytes) =>
    schema(`${repeat(bytes, '"anyOf":[{')}"type":"string"${repeat(bytes / 5, '}]')}`),
  'definitions in a schema': (bytes) =>
    schema(`"$defs":{${repeat(bytes, (index) => `"d${index}":{"$ref":"#/$defs/d0"},`)}"z":{"$ref":"#/x"}}`),
  'many tools': (bytes) =>
    `{"input":"x","tools":[${repeat(bytes, (index) => `{"type":"function","function":{"name":"f${index}"}},`)}0]}`,
  'empty lists in the arguments of a call': (bytes) => call(`{"a":[${repeat(bytes, '[],')}0]}`),
  'members in the arguments of a call': (bytes) =>
    call(`{${repeat(bytes / 2, (index) => `"k${index}":0,`)}"z":0}`),
  'deep lists': (bytes) => `{"input":${repeat(bytes, '[')}`,
  'deep lists that end': (bytes) => `{"input":${repeat(bytes / 2, '[')}${repeat(bytes / 2, ']')}}`,
  'deep objects': (bytes) => `{"input":${repeat(bytes, '{"a":')}0}`,
  'a wide object': (bytes) => `{${repeat(bytes, (index) => `"k${index}":0,`)}"input":5}`,
  'one member again and again': (bytes) => `{${repeat(bytes, '"input":0,')}"input":5}`,
  'many messages': (bytes) =>
    `{"messages":[${repeat(bytes, '{"role":"user","content":"a"},')}{"role":"user"}]}`,
  'many parts': (bytes) =>
    `{"messages":[{"role":"user","content":[${repeat(bytes, '{"type":"text","text":"a"},')}0]}]}`,
  'items of Responses': (bytes) =>
    `{"model":"m","store":false,"input":[${repeat(bytes, '{"type":"message","role":"user","content":"a"},')}0]}`,
  'sealed thoughts of Responses': (bytes) =>
    `{"model":"m","store":false,"input":[${repeat(bytes, '{"type":"reasoning","id":"r","summary":[],"encrypted_content":"nr1.AAAA"},')}0]}`,
  'one sealed thought': (bytes) =>
    `{"model":"m","store":false,"input":[{"type":"reasoning","id":"r","summary":[],"encrypted_content":"nr1.${'A'.repeat(bytes)}"},0]}`,
  'thoughts of Responses that are lists': (bytes) =>
    `{"model":"m","input":[${repeat(bytes, `{"type":"reasoning","encrypted_content":"${sealed(bytes, '[],')}"},`)}0]}`,
  'thoughts of Messages that are lists': (bytes) =>
    `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[${repeat(bytes, `{"type":"thinking","signature":"${sealed(bytes, '[],')}"},`)}0]}]}`,
  'an assistant that goes on and on': (bytes) =>
    `{"model":"m","input":[${entries(bytes, () => '{"role":"assistant","content":"a"}')}{"type":"x"}]}`,
  'calls of one turn of Responses': (bytes) =>
    `{"model":"m","input":[${entries(bytes, (index) => `{"type":"function_call","call_id":"c${index}","name":"f","arguments":"{}"}`)}{"type":"x"}]}`,
  'lists in the arguments of many calls of Responses': (bytes) =>
    `{"model":"m","input":[${repeat(bytes, `{"type":"function_call","call_id":"a","name":"f","arguments":"{\\"a\\":[${'[],'.repeat(5_000)}0]}"},`)}{"type":"x"}]}`,
  'lists in the arguments of many calls': (bytes) =>
    `{"messages":[${repeat(bytes, `{"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{\\"a\\":[${'[],'.repeat(300)}0]}"}}]},`)}{"role":"x"}]}`,
  'tools of a namespace': (bytes) =>
    `{"model":"m","input":"x","tools":[{"type":"namespace","name":"n","tools":[${repeat(bytes, (index) => `{"type":"function","name":"f${index}"},`)}0]}]}`,
  'blocks of Messages': (bytes) =>
    `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[${repeat(bytes, '{"type":"text","text":"a"},')}0]}]}`,
  'sealed thoughts of Messages': (bytes) =>
    `{"model":"m","max_tokens":1,"messages":[{"role":"assistant","content":[${repeat(bytes, '{"type":"thinking","thinking":"","signature":"AAAA"},')}0]}]}`,
  'results within results': (bytes) =>
    `{"model":"m","max_tokens":1,"messages":[{"role":"user","content":[${repeat(bytes, '{"type":"tool_result","tool_use_id":"a","content":[')}`,
  'system blocks': (bytes) =>
    `{"model":"m","max_tokens":1,"system":[${repeat(bytes, '{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},')}0],"messages":[]}`,
  'one long text': (bytes) => `{"input":"${'a'.repeat(bytes + MAX_INPUT_BYTES)}"}`,
  'a text of escapes': (bytes) => `{"input":"${'\\"'.repeat(bytes / 2 + MAX_INPUT_BYTES)}"}`,
  'a text of backslashes': (bytes) => `{"input":"${'\\\\'.repeat(bytes / 2 + MAX_INPUT_BYTES)}"}`,
  'a text of escaped code units': (bytes) => `{"input":"${repeat(bytes + 6 * MAX_INPUT_BYTES, '\\u00e9')}"}`,
  'a text that has no end': (bytes) => `{"input":"${'a'.repeat(bytes)}`,
  'halves of surrogate pairs': (bytes) => `{"input":"${repeat(bytes, '\\ud800')}"}`,
  'a field that is refused by its value': (bytes) => `{"functions":[${repeat(bytes, '[],')}0],"input":5}`,
  'a refused field that is long once it is written': (bytes) =>
    `{"functions":"${repeat(bytes, '\\u0001')}","input":5}`,
  'a wide tool': (bytes) =>
    `{"input":"x","tools":[{${repeat(bytes / 3, (index) => `"k${index}":0,`)}"type":"function"}]}`,
  'long numbers': (bytes) => `{"input":[${repeat(bytes, `${'9'.repeat(5_000)}.5e-7,`)}1]}`,
  'one long number': (bytes) => `{"input":${'9'.repeat(bytes)}}`,
  'many numbers': (bytes) => `{"input":[${repeat(bytes, '1e5,')}1]}`,
  blanks: (bytes) => `${' '.repeat(bytes)}5`,
};

/** Max. size of an event of AWS Lambda, in which the body is a text of JSON (AWS Lambda quotas, invocation payload, synchronous). */
const EVENT_BYTES = 6 * 1024 * 1024;

export const SIZES: readonly number[] = [100_000, 400_000, 1_500_000, 5_700_000];

/** Bodies of a kind from 0.1 MB up to what AWS Lambda takes, which is half as much where each character is escaped once more. */
export function bodiesOf(kind: string, sizes: readonly number[] = SIZES): readonly string[] {
  return sizes.map((bytes) => {
    const body = HOSTILE_BODIES[kind]?.(bytes) ?? '';
    return JSON.stringify(body).length <= EVENT_BYTES ? body : (HOSTILE_BODIES[kind]?.(bytes / 2.2) ?? '');
  });
}
