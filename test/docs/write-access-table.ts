// `npm run build:access-table`: writes docs/access-table.md from the decision table that the tests run. A test keeps the page up to date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  PASSED_PAGES,
  REFUSED_BLOCKS,
  REFUSED_PAGES,
  type TableBlock,
  USABLE_BLOCKS,
} from '../core/access/decision-table.ts';
import { JWT_BLOCKS } from '../core/access/jwt-decision-table.ts';
import { ROOT } from '../source-tree.ts';

/** Where the page is. */
export const PAGE = join(ROOT, 'docs', 'access-table.md');

const commas = (cell: string) => cell.replaceAll(' ', ', ');

/** Kinds that stand together in many rows, and their name on the page. */
const GROUPS: Readonly<Record<string, string>> = {
  [PASSED_PAGES]: '*passing*',
  [REFUSED_PAGES]: '*refused*',
  [`listed originListed ${REFUSED_PAGES}`]: '*all but absent*',
  'foreign ipv6 unknown': '*not listed*',
};

/** Rows of Markdown; a credential cell that begins with `absent` names all that are bad. */
function renderTable(blocks: readonly TableBlock[]): string {
  const rows = blocks.flatMap(({ settings, rows }) =>
    rows.map(([referer, address, credential, verdict], index) => {
      const named = index === 0 ? settings.map((words) => `\`${words}\``).join(' · ') : '';
      const [page, place] = [referer, address].map((cell) => GROUPS[cell] ?? commas(cell));
      const presented =
        credential === 'bad' || credential.startsWith('absent ') ? '*bad*' : commas(credential);
      return `| ${[named, page, place, presented, `**${verdict}**`].join(' | ')} |`;
    }),
  );
  return [
    '| Settings | Referer, Origin | Address | Credential | Caller gets |',
    '|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The whole page. */
export function renderPage(): string {
  return `# Who may call: the decision table

Every combination of access settings, every kind of request, and what the caller gets. \`npm run build:access-table\`
writes this page from the tables in \`test/core/access\`, which are written by hand. The tests run every kind of request
through every row, as a function and over HTTP; each request is in exactly one row. The rules behind it:
[security.md](security.md#how-a-request-is-decided).

Kinds of Referer and Origin, for a neuron that lists some pages:

- *absent*: neither header. *listed*, *foreign* (another host), *malformed* (not the URL of a web page), *doubled*: the
  Referer, without an Origin.
- *originListed*, *originForeign*, *originNull* (\`null\`), *originDoubled*: the Origin, without a Referer.
  *originDiffers*: a listed Referer beside a foreign Origin.
- *passing* is ${commas(PASSED_PAGES)}; *refused* is every other kind.

Kinds of address: *listed*; *not listed* is another address, an IPv6 address, or none (API Gateway gave none).

Kinds of credential: *valid*; *unreachable* (valid, but the store of keys fails); *bad* (no header, two headers, another
scheme, a JWT, a malformed key, an unknown, revoked or expired key, one of another organization or another neuron).

## Settings that \`apply\` accepts, without JWTs

${renderTable(USABLE_BLOCKS)}

## Settings that \`apply\` accepts, with JWTs

A *key* or *jwt* is valid. With *keyUnreachable* and *jwtUnreachable* it would be, but the store of keys or secrets, or
every JWKS endpoint, fails; with *jwtUnset* nobody has set the shared secret yet. *bad* is everything else: no header,
two headers, another scheme, a revoked or malformed key, a forged, expired or malformed JWT; where \`apiKey\` is off, also
every valid key.

${renderTable(JWT_BLOCKS)}

## Settings that \`apply\` refuses

Should they be in the store all the same, the stricter reading counts. \`jwt\` with both methods, with none, or with an
algorithm of the other family is 404 too.

${renderTable(REFUSED_BLOCKS)}
`;
}

if (import.meta.main) writeFileSync(PAGE, renderPage());
