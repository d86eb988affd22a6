// Writes a pattern without modifiers of case, `(?i:…)`: V8 of Node 24 does not match all that they say
// (`/(?i:aws_?secret_?(?:access_?)?key)/` finds nothing in `AWS_SECRET_ACCESS_KEY`).

const PART =
  /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|.)|\((?:\?(?:-?i)?(?:[:=!]|<[=!]))?|\)|\[(?:\\.|[^\]\\])*\]|[A-Za-z]|./gs;

/** Letters of ASCII within `(?i:…)` become both of their forms. Named groups are not read. */
export function withBothCases(pattern: string): string {
  const groups = [false];
  return pattern.replaceAll(PART, (part) => {
    const isInsensitive = groups.at(-1) ?? false;
    if (part === ')') groups.pop();
    if (part.startsWith('(')) {
      groups.push(part === '(?i:' || (isInsensitive && part !== '(?-i:'));
      return part.replace(/^\(\?-?i:/, '(?:');
    }
    if (!isInsensitive) return part;
    if (/^[A-Za-z]$/.test(part)) return `[${part.toLowerCase()}${part.toUpperCase()}]`;
    return part.startsWith('[') ? withBothInClass(part) : part;
  });
}

const MEMBER = /\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|.)|[A-Za-z]-[A-Za-z]|[A-Za-z]/g;

function withBothInClass(text: string): string {
  const more = [...text.matchAll(MEMBER)]
    .map(([one]) => (one.startsWith('\\') ? '' : swapCase(one)))
    .join('');
  return text.replace(/^\[\^?/, (start) => `${start}${more}`);
}

function swapCase(text: string): string {
  return text.replaceAll(/[A-Za-z]/g, (one) => (one < 'a' ? one.toLowerCase() : one.toUpperCase()));
}
