// Splits standard input where it holds a flow and, after it, the cases that it is tried on.
import type { Terminal } from '../../output/terminal.ts';

/** No line of a YAML document may begin so, not even in a text of several lines. */
const SEPARATOR = /^---(?=\s|$)/gm;

/** Terminals whose standard input is the first document, and what stands after its separator. */
export async function splitPiped(
  terminal: Terminal,
): Promise<{ readonly flow: Terminal; readonly cases: Terminal }> {
  const text = terminal.stdin.isTerminal ? '' : await terminal.stdin.readAll();
  const end = endOfFirst(text);
  const cases = text.slice(end).replace(/^---[ \t]*\r?\n/, '');
  return { flow: withInput(terminal, text.slice(0, end)), cases: withInput(terminal, cases) };
}

/** Before the first separator that has more than comments before it. */
function endOfFirst(text: string): number {
  for (const { index } of text.matchAll(SEPARATOR))
    if (/^[ \t]*[^\s#]/m.test(text.slice(0, index).replace(SEPARATOR, ''))) return index;
  return text.length;
}

function withInput(terminal: Terminal, text: string): Terminal {
  const stdin = { isTerminal: false, readAll: async () => text, readLine: async () => undefined };
  return { ...terminal, stdin };
}
