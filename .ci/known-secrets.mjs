// Writes core/access/known-secret-digests.ts from a list of publicly known secrets, one a line:
//   node .ci/known-secrets.mjs jwt.secrets.list
// The list is that of https://github.com/wallarm/jwt-secrets (MIT); see docs/dependencies.md.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('name the list: node .ci/known-secrets.mjs jwt.secrets.list');

// Shorter ones bring a warning anyway: whoever has a token can try them all.
const secrets = readFileSync(file, 'utf8')
  .split('\n')
  .map((line) => line.trim())
  .filter((line) => Buffer.byteLength(line) >= 32);
const digests = [...new Set(secrets.map(digestOf))].sort();
const lines = digests.join('').match(/.{1,120}/g) ?? [];

writeFileSync(
  new URL('../core/access/known-secret-digests.ts', import.meta.url),
  `// Publicly known secrets of 32 bytes and more, as digests: ${digests.length} of https://github.com/wallarm/jwt-secrets at commit
// 99e2360 (MIT). Written by .ci/known-secrets.mjs; never edit it.

/** The first 6 bytes of the SHA-256 of each, in base64url, sorted, without anything between them. */
export const KNOWN_SECRET_DIGESTS = \`
${lines.join('\n')}
\`.replaceAll('\\n', '');
`,
);

function digestOf(secret) {
  return createHash('sha256').update(secret).digest().subarray(0, 6).toString('base64url');
}
