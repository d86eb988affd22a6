// Measures guards in the process on public sets: finds, and CPU.
import { isPhoneNumber } from '../../adapters/phone/is-phone-number.ts';
import { type ActiveGuard, activeGuards } from '../../core/guards/active-guards.ts';
import { createHoldBack, type HoldBack } from '../../core/guards/hold-back.ts';
import type { Guard } from '../../core/settings/guards/guards-schema.ts';
import { percentile } from '../statistics.ts';
import type { LabelledText, MarkedText } from './sets.ts';

/** A guard of the library alone, on every stage. */
export function openGuard(guard: Guard): ActiveGuard {
  const use = { use: 'one', on: ['input' as const, 'output' as const], action: 'redact' as const };
  const [active] = activeGuards(
    { organization: { guards: { one: guard } }, neuron: { guards: [use] } },
    { isPhoneNumber },
  );
  if (active === undefined) throw new Error('there is no guard');
  return active;
}

export interface FindCounts {
  /** Marks of the set, or its bad texts. */
  readonly marked: number;
  readonly recalled: number;
  /** Finds, or texts with one. */
  readonly found: number;
  readonly right: number;
}

/** A find counts where it overlaps a mark of the kind. */
export function measureMarks(guard: ActiveGuard, texts: readonly MarkedText[], kind: string): FindCounts {
  const counts = { marked: 0, recalled: 0, found: 0, right: 0 };
  for (const { text, marks } of texts) {
    const wanted = marks.filter((mark) => mark.kind === kind);
    const finds = guard.find(text);
    counts.marked += wanted.length;
    counts.recalled += wanted.filter((mark) => finds.some((find) => overlap(find, mark))).length;
    counts.found += finds.length;
    counts.right += finds.filter((find) => wanted.some((mark) => overlap(find, mark))).length;
  }
  return counts;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Each mark of a kind as someone writes it who does not want it found, or whose program writes it otherwise. */
export function disguise(
  texts: readonly MarkedText[],
  kind: string,
  change: (value: string) => string,
): readonly MarkedText[] {
  return texts.flatMap(({ text, marks }) =>
    marks
      .filter((mark) => mark.kind === kind)
      .map(({ start, end }) => {
        const value = change(text.slice(start, end));
        const changed = `${text.slice(0, start)}${value}${text.slice(end)}`;
        return { text: changed, marks: [{ kind, start, end: start + value.length }] };
      }),
  );
}

/** A harmless text counts as found where a find is of its own rule, or `anyRule`. */
export function measureLabels(
  guard: ActiveGuard,
  texts: readonly LabelledText[],
  anyRule: boolean,
): FindCounts & { readonly harmless: number } {
  const counts = { marked: 0, recalled: 0, found: 0, right: 0, harmless: 0 };
  for (const { text, isBad, rule } of texts) {
    const finds = guard.find(text);
    const isFound = finds.some(({ entity }) => isBad || anyRule || entity === rule);
    counts.marked += isBad ? 1 : 0;
    counts.harmless += isBad ? 0 : 1;
    counts.recalled += isBad && isFound ? 1 : 0;
    counts.found += isFound ? 1 : 0;
    counts.right += isBad && isFound ? 1 : 0;
  }
  return counts;
}

/** Milliseconds of CPU in this process. */
export interface CpuTime {
  readonly p50: number;
  readonly p99: number;
}

const CALLS = 300;

/** Whole texts of a length, each with other words. */
export function measureCpu(guards: readonly ActiveGuard[], texts: readonly string[]): CpuTime {
  return percentilesOf(texts, (text) => {
    for (const guard of guards) guard.find(text);
  });
}

/** The same in pieces of four characters; `held` is the mean of characters that wait after a piece. */
export function measureStream(
  guards: readonly ActiveGuard[],
  texts: readonly string[],
): CpuTime & { readonly held: number } {
  let held = 0;
  let pieces = 0;
  const times = percentilesOf(texts.slice(0, CALLS / 10), (text) => {
    let left = 0;
    const guarded = openHold(guards);
    for (let at = 0; at < text.length; at += 4) {
      for (const piece of guarded.push(text.slice(at, at + 4)))
        left += 'text' in piece ? piece.text.length : 0;
      held += Math.min(at + 4, text.length) - left;
      pieces += 1;
    }
    guarded.end();
  });
  return { ...times, held: held / pieces };
}

/** Holds back what guards need of a stream; values stay. */
export function openHold(guards: readonly ActiveGuard[]): HoldBack<never> {
  return createHoldBack<never>(
    {
      cutsOf: (part, from) =>
        guards.flatMap((guard) =>
          guard.find(part, from).map((find) => ({
            ...find,
            length: find.end - find.start,
            label: guard.labelOf(find),
            action: 'redact' as const,
            restores: guard.restores,
          })),
        ),
      openFrom: (part, from) => Math.min(...guards.map((guard) => guard.openFrom?.(part, from) ?? 0)),
    },
    (_cut, value) => value,
  );
}

function percentilesOf(texts: readonly string[], run: (text: string) => void): CpuTime {
  for (const text of texts.slice(0, 50)) run(text);
  const times = texts.map((text) => {
    const before = process.cpuUsage();
    run(text);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}

/** Texts of a length, made of the set's. */
export function textsOf(sources: readonly string[], length: number): readonly string[] {
  const text = sources.join('\n');
  const double = text.repeat(Math.ceil((2 * length) / text.length) + 1);
  return Array.from({ length: CALLS }, (_, index) => {
    const start = (index * 7_919) % text.length;
    return double.slice(start, start + length);
  });
}
