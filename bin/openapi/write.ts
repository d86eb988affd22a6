// `npm run build:openapi`: writes docs/openapi.json from the contract. A test keeps the file up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildOpenapi } from './document.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The text of docs/openapi.json; its version is that of the service. */
export function renderOpenapi(): string {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  return `${JSON.stringify(buildOpenapi(version), null, 2)}\n`;
}

if (import.meta.main) writeFileSync(join(ROOT, 'docs', 'openapi.json'), renderOpenapi());
