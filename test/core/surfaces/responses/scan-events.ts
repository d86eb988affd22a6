// Reads the events of a response as OpenAI's strictest reader does (its client for Node): whatever that one throws at is a violation here.

interface Item {
  readonly id: string;
  readonly type: 'message' | 'function_call';
  readonly status: string;
  readonly content?: readonly { readonly text: string }[];
  readonly arguments?: string;
}

interface ResponseEvent {
  readonly type: string;
  readonly sequence_number: number;
  readonly output_index?: number;
  readonly item_id?: string;
  readonly item?: Item;
  readonly delta?: string;
  readonly text?: string;
  readonly arguments?: string;
  readonly error?: { readonly code: string | null; readonly message: string };
  readonly response?: {
    readonly id: string;
    readonly status: string;
    readonly output: readonly Item[];
    readonly usage: object | null;
    readonly incomplete_details: { readonly reason: string } | null;
    readonly error: { readonly code: string } | null;
  };
}

/** What a stream said, and what is wrong with it. */
export interface ScannedEvents {
  readonly types: readonly string[];
  readonly events: readonly ResponseEvent[];
  readonly text: string;
  /** The response of the last event. */
  readonly last: ResponseEvent['response'];
  readonly violations: readonly string[];
}

export function scanEvents(body: string): ScannedEvents {
  const violations: string[] = [];
  const expect = (holds: boolean, what: string): void => void (holds || violations.push(what));
  const blocks = body.split('\n\n');
  expect(blocks.pop() === '', 'ends with an empty line');
  const events = blocks.map((block): ResponseEvent => {
    const [, name, data = '{}'] = /^event: ([\w.]+)\ndata: ([^\n\r]+)$/.exec(block) ?? [];
    const event = JSON.parse(data) as ResponseEvent;
    expect(name !== undefined && event.type === name, `is one event with its type: ${block}`);
    return event;
  });
  for (const [index, { sequence_number: number }] of events.entries())
    expect(number === index, `numbers its events from 0: ${number}`);
  const types = events.map(({ type }) => type);
  expect(types[0] === 'response.created' && types[1] === 'response.in_progress', 'begins as a response');
  const ids = events.flatMap(({ response }) => response?.id ?? []);
  expect(new Set(ids).size === 1, 'has one id');
  return { types, events, ...replay(events, expect), last: events.at(-1)?.response, violations };
}

/** Items one after the other: each is added, filled and done before the next one is added. */
function replay(events: readonly ResponseEvent[], expect: (holds: boolean, what: string) => void) {
  let open: { readonly item: Item; filled: string } | undefined;
  let text = '';
  const done: Item[] = [];
  for (const event of events) {
    const { type, item, delta = '' } = event;
    if (event.output_index !== undefined) {
      expect(event.output_index === done.length, `${type} is about the item that is open`);
    }
    if (event.item_id !== undefined) expect(event.item_id === open?.item.id, `${type} names the open item`);
    if (type === 'response.output_item.added' && item !== undefined) {
      expect(open === undefined, 'adds an item when none is open');
      open = { item, filled: '' };
    } else if (delta !== '' && open !== undefined) {
      open.filled += delta;
      if (type === 'response.output_text.delta') text += delta;
    } else if (event.text !== undefined || event.arguments !== undefined) {
      expect((event.text ?? event.arguments) === open?.filled, `${type} repeats the deltas`);
    } else if (type === 'response.output_item.done' && item !== undefined) {
      expect(item.id === open?.item.id && item.type === open.item.type, 'ends the item that is open');
      expect((item.arguments ?? item.content?.[0]?.text) === open?.filled, 'an item is its deltas');
      done.push(item);
      open = undefined;
    }
  }
  expect(new Set(done.map(({ id }) => id)).size === done.length, 'has each id of an item once');
  const last = events.at(-1);
  if (last?.type !== 'response.failed') {
    expect(open === undefined, 'has no item that is not done');
    expect(
      JSON.stringify(last?.response?.output) === JSON.stringify(done),
      'ends with the items that it sent',
    );
  }
  return { text };
}
