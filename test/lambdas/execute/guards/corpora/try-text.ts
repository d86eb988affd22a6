// One text of a corpus through the execution function: at each place, by each surface, whole and in pieces.
import { isPhoneNumber } from '../../../../../adapters/phone/is-phone-number.ts';
import { activeGuards } from '../../../../../core/guards/active-guards.ts';
import { mergeCuts } from '../../../../../core/guards/find.ts';
import { createHoldBack } from '../../../../../core/guards/hold-back.ts';
import { createReplace, toCuts } from '../../../../../core/guards/inspect-texts.ts';
import { createPlaceholders } from '../../../../../core/guards/placeholders.ts';
import { splitTexts } from '../../../../../core/guards/split.ts';
import type { Organization } from '../../../../../core/settings/organization-schema.ts';
import { openGuarded, type Told } from '../function.ts';
import { deltasOf, leavesOf } from './answers.ts';
import { BODIES, type Door, PLACES, SHORT } from './places.ts';

export const SIZES = Array.from({ length: 16 }, (_, index) => index + 1);

const library = {
  pii: {
    type: 'pii',
    entities: ['email', 'card', 'iban', 'usSsn', 'ip', 'phone', 'nationalId'],
    regions: ['US', 'GB', 'DE'],
  },
  secrets: { type: 'secrets' },
  tricks: { type: 'phrases' },
} as const satisfies Organization['guards'];
const STAGES = ['input', 'toolResults', 'tools', 'output'] as const;
const guards = Object.keys(library).map((use) => ({ use, on: [...STAGES], action: 'redact' as const }));
const active = activeGuards({ organization: { guards: library }, neuron: { guards } }, { isPhoneNumber });
/** What guards say of a text alone: the text that they leave, the values that must be nowhere, and the number of finds. */
export interface Verdict {
  readonly left: string;
  readonly values: readonly string[];
  readonly finds: number;
  /** A place amid the first find, or amid the text. */
  readonly amid: number;
}

export function verdictOf(text: string): Verdict {
  const found = active.map((guard) => ({ guard, finds: guard.find(text) }));
  const cuts = mergeCuts(found.flatMap(({ guard, finds }) => toCuts(guard, finds)));
  const [left = ''] = splitTexts([text], cuts, createReplace(createPlaceholders('')));
  const values = cuts.map(({ start, end }) => text.slice(start, end));
  const [first] = cuts;
  const middle = first === undefined ? harmlessCutOf(text) : (first.start + first.end) >> 1;
  return {
    left,
    // A value of a few characters, or one that stands in the rest too, says nothing by being somewhere.
    values: values.filter((value) => value.length >= 6 && !left.includes(value)),
    finds: found.reduce((sum, { finds }) => sum + finds.length, 0),
    amid: /^[\udc00-\udfff]/.test(text.slice(middle)) ? middle + 1 : middle,
  };
}

/** Where neither part has a find by itself: half a text can look like something that the whole does not. */
function harmlessCutOf(text: string): number {
  const places = [text.length >> 1, text.length >> 2, text.length - (text.length >> 2)];
  const isHarmless = (part: string) => active.every((guard) => guard.find(part).length === 0);
  return places.find((at) => isHarmless(text.slice(0, at)) && isHarmless(text.slice(at))) ?? 0;
}

/** What is wrong, without the text; none where the verdict is the same everywhere and no value is anywhere. */
export type Differences = readonly string[];

/** How a text is tried. */
export interface Trial {
  readonly door: Door;
  /** Characters of a piece of a stream; 0 for a whole answer. */
  readonly size: number;
  /** At each place of the request; otherwise in the answer alone. */
  readonly isEverywhere: boolean;
  /** Sent again, with the same idempotency key and with another one. */
  readonly isRepeated: boolean;
}

export async function tryText(text: string, verdict: Verdict, trial: Trial): Promise<Differences> {
  const { door, size, isEverywhere, isRepeated } = trial;
  const { surface } = door;
  const { model, call, isChat, hasCalls } = openDoor(text, verdict, trial);
  const answers = [await call('one')];
  // Then the kept answer of the same request, and one from the cache.
  if (isRepeated) answers.push(await call('one'), await call('two'));
  const wrong: string[] = [];
  const expect = (isRight: boolean, what: string) => {
    if (!isRight)
      wrong.push(`${what} (${surface}, of an organization: ${door.isOfOrganization}, size ${size})`);
  };
  for (const [index, { status, text: answer }] of answers.entries()) {
    expect(status === 200, `answer ${index}: status ${status}`);
    const texts = size > 0 ? deltasOf(surface, answer) : leavesOf(answer);
    if (surface !== 'embeddings') expect(texts.includes(verdict.left), `answer ${index}: another text`);
    const found = writtenForms(JSON.stringify({ to: [verdict.left] }));
    if (hasCalls)
      expect(
        found.some((form) => answer.includes(form)),
        `answer ${index}: other arguments`,
      );
  }
  // A cache keeps no calls of tools.
  expect(model.asked.length === (isRepeated && hasCalls ? 2 : 1), `asked ${model.asked.length} times`);
  if (isEverywhere && verdict.left !== '') {
    const places = leavesOf(model.asked[0] ?? '').filter((leaf) => leaf === verdict.left).length;
    expect(places >= PLACES[surface], `${places} places`);
  }
  const everything = [...model.asked, ...answers.map((one) => one.text), model.kept()].join('\n');
  for (const value of verdict.values)
    expect(!writtenForms(value).some((form) => everything.includes(form)), 'a value got out');
  if (isChat || isEverywhere) expect(isCounted(model, verdict), 'other finds in the log');
  return wrong;
}

function openDoor(text: string, { amid }: Verdict, trial: Trial) {
  const { door, size, isEverywhere } = trial;
  const { surface, isOfOrganization } = door;
  const isChat = isChatOf(door);
  const hasCalls = isChat && size % 2 === 0;
  const told = isChat
    ? { text, size, ...(hasCalls ? { toolCalls: callsOf(text) } : {}) }
    : toldOf(surface, text);
  const model = openFunction(door, trial.isRepeated, told);
  const body = {
    ...(isEverywhere ? BODIES[surface](text, amid) : SHORT[surface]),
    stream: isChat && surface !== 'native' ? size > 0 : undefined,
  };
  const form = { surface, isOfOrganization, stream: surface === 'native' && size > 0 };
  const call = (key: string) => model.call(body, { ...form, idempotencyKey: `${key}-${model.number}` });
  return { model, call, isChat, hasCalls };
}

type Opened = ReturnType<typeof openGuarded> & { readonly tell: { now: Told }; number: number };

/** Functions that are warm, with nothing left of their last call. */
const warm = new Map<string, Opened>();
const MAX_CALLS = 500;

/** Where a request is repeated it has a cache of its own: texts that differ in their finds alone are one to a cache. */
function openFunction(door: Door, isCached: boolean, told: Told): Opened {
  const { surface, isOfOrganization } = door;
  const name = [surface, isOfOrganization, isCached].join();
  let opened = warm.get(name);
  if (opened === undefined || isCached || opened.number > MAX_CALLS) {
    const tell = { now: told };
    const settings = {
      access: isOfOrganization ? { apiKey: true } : { public: true },
      mcp: { description: 'Helps.' },
      ...(isCached ? { caching: { exact: true } } : {}),
    };
    const model = openGuarded({ library, guards, settings, ...embeddingOf(surface) }, () => tell.now);
    opened = { ...model, tell, number: 0 };
    warm.set(name, opened);
  }
  opened.tell.now = told;
  opened.number += 1;
  for (const list of [opened.entries, opened.lines, opened.asked, opened.stored]) list.length = 0;
  return opened;
}

/** True where a text comes back, whole or streamed. */
export function isChatOf({ surface }: Door): boolean {
  return surface !== 'mcp' && surface !== 'embeddings';
}

/** In pieces of a size without a function around: the same text and number of finds. */
export function isSameInPieces(text: string, { left }: Verdict, size: number): boolean {
  const replace = createReplace(createPlaceholders(''));
  const inspector = {
    cutsOf: (part: string, from: number) => active.flatMap((guard) => toCuts(guard, guard.find(part, from))),
    openFrom: (part: string, from = 0) =>
      Math.min(...active.map((guard) => guard.openFrom?.(part, from) ?? 0)),
  };
  const held = createHoldBack<never>(inspector, replace);
  const characters = [...text];
  let found = '';
  const take = (pieces: ReturnType<typeof held.push>) => {
    for (const piece of pieces) found += 'text' in piece ? piece.text : '';
  };
  for (let at = 0; at < characters.length; at += size)
    take(held.push(characters.slice(at, at + size).join('')));
  take(held.end());
  return found === left;
}

/** The number of finds is that of the text at each place; those of several turns are told apart. */
function isCounted({ entries }: ReturnType<typeof openGuarded>, { finds }: Verdict): boolean {
  const counts = entries[0]?.guards?.flatMap((guard) => guard.finds.map(({ count }) => count)) ?? [];
  return counts.length > 0 === finds > 0;
}

const callsOf = (text: string) => [{ name: 'find', arguments: JSON.stringify({ to: [text] }) }];

function toldOf(surface: Door['surface'], text: string): Told {
  const data = [0, 1].map((index) => ({ index, embedding: [1, 0.5] }));
  return surface === 'embeddings'
    ? { body: { data, usage: { prompt_tokens: 4, total_tokens: 4 } } }
    : { text };
}

function embeddingOf(surface: Door['surface']): object {
  if (surface !== 'embeddings') return {};
  return { flow: [{ embed: { provider: 'model', model: 'e', retries: 0 } }] };
}

/** As itself, and within JSON within JSON. */
function writtenForms(value: string): readonly string[] {
  const forms = [value];
  for (let depth = 0; depth < 4; depth += 1) forms.push(JSON.stringify(forms.at(-1)).slice(1, -1));
  return [...new Set(forms)];
}
