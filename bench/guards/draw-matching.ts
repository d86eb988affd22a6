// Draws texts that match a pattern, each character of a class as often as any other: where chance decides, as in real keys.

let state = 1;

/** mulberry32: the same numbers at each run. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
}

const below = (count: number): number => Math.floor(random() * count);

const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(index + 33));
const QUANTIFIER = /^(?:\{(\d+)(,?)(\d*)\}|[?*+])/;

/** Literals, classes, groups and their counts; throws for anything else. An open count is drawn with up to 10 more. */
export function drawMatching(pattern: string): string {
  const branches = splitBranches(pattern);
  const branch = branches[below(branches.length)] ?? '';
  let drawn = '';
  for (let at = 0; at < branch.length; ) {
    const atom = atomAt(branch, at);
    at += atom.length;
    const [counts = '', least, comma, most] = QUANTIFIER.exec(branch.slice(at)) ?? [];
    at += counts.length;
    for (let times = timesOf(counts, least, comma, most); times > 0; times -= 1) drawn += drawAtom(atom);
  }
  return drawn;
}

function timesOf(counts: string, least?: string, comma?: string, most?: string): number {
  if (counts === '') return 1;
  if (counts === '?') return below(2);
  if (counts === '*' || counts === '+') return below(10) + (counts === '+' ? 1 : 0);
  const from = Number(least);
  if (comma === '') return from;
  return from + below((most === '' ? from + 10 : Number(most)) - from + 1);
}

function atomAt(pattern: string, at: number): string {
  const rest = pattern.slice(at);
  if (rest.startsWith('[')) return /^\[(?:\\.|[^\]])+\]/.exec(rest)?.[0] ?? fail(pattern);
  if (rest.startsWith('(')) return rest.slice(0, groupEnd(rest));
  return rest.startsWith('\\') ? rest.slice(0, 2) : rest.slice(0, 1);
}

function groupEnd(text: string): number {
  let depth = 0;
  for (const { 0: mark, index } of text.matchAll(/\\.|\[(?:\\.|[^\]])+\]|[()]/g)) {
    depth += mark === '(' ? 1 : mark === ')' ? -1 : 0;
    if (depth === 0 && mark === ')') return index + 1;
  }
  return fail(text);
}

function splitBranches(pattern: string): readonly string[] {
  const branches = [''];
  for (let at = 0; at < pattern.length; ) {
    const atom = atomAt(pattern, at);
    at += atom.length;
    if (atom === '|') branches.push('');
    else branches.push(`${branches.pop() ?? ''}${atom}`);
  }
  return branches;
}

function drawAtom(atom: string): string {
  if (atom.startsWith('(')) return drawMatching(atom.slice(atom.startsWith('(?:') ? 3 : 1, -1));
  if (!/^(?:\[|\\[wds]|\.)/.test(atom)) return atom.startsWith('\\') ? atom.slice(1) : atom;
  const matching = new RegExp(`^${atom}$`);
  const characters = PRINTABLE.filter((one) => matching.test(one));
  return characters[below(characters.length)] ?? fail(atom);
}

function fail(pattern: string): never {
  throw new Error(`cannot draw ${pattern}`);
}
