// `npm run build:notices`: writes THIRD-PARTY-NOTICES.txt, the licences of everything that is bundled. A test keeps the file up to date.
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBundledPackages } from './bundled-packages.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const RULE = '-'.repeat(100);

/** One work that is bundled, and the text of its licence. */
export interface Notice {
  readonly name: string;
  readonly license: string;
  readonly text: string;
}

/** Data that was taken from other projects: docs/dependencies.md says which, and at which commit. */
const DATA = [
  {
    name: 'gitleaks (rules for secrets)',
    license: 'MIT',
    file: 'core/guards/secrets/LICENSE',
  },
  {
    name: 'wallarm/jwt-secrets (digests of known secrets)',
    license: 'MIT',
    file: 'bin/release/licenses/jwt-secrets.txt',
  },
] as const;

/** Packages that say their licence and leave its text out: theirs, with the copyright line of their README. */
const TEXTS: Readonly<Record<string, string>> = {
  '@middy/core': 'bin/release/licenses/middy.txt',
  '@middy/http-cors': 'bin/release/licenses/middy.txt',
  '@middy/util': 'bin/release/licenses/middy.txt',
};

/** Licences that let us bundle a work with a notice alone. Another one is a decision, not a default. */
const ALLOWED: ReadonlySet<string> = new Set(['Apache-2.0', 'MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause']);

/** Reads the licence of a package below `root`/node_modules. Throws where it has none, or one that is not allowed. */
export function readNotice(name: string, root: string = ROOT): Notice {
  const folder = join(root, 'node_modules', name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    version: string;
    license?: unknown;
  };
  const { version, license } = manifest;
  if (typeof license !== 'string' || !ALLOWED.has(license)) {
    throw new Error(
      `${name} ${version} is bundled under the licence ${JSON.stringify(license)}, which bin/release/notices.ts does not allow. ` +
        'Replace the package, or allow the licence after you read it.',
    );
  }
  // NOTICE is what the Apache licence, section 4 (d), wants passed on.
  const files = globSync(['LICEN[CS]E*', 'licen[cs]e*', 'NOTICE*'], { cwd: folder }).toSorted();
  const paths = [...new Set(files)].map((file) => join(folder, file));
  const kept = TEXTS[name];
  if (paths.length === 0 && kept !== undefined) paths.push(join(ROOT, kept));
  if (paths.length === 0) {
    throw new Error(
      `${name} ${version} is bundled and has no licence file. Put the text into bin/release/licenses, and name it in bin/release/notices.ts.`,
    );
  }
  const texts = paths.map(readText);
  return { name: `${name} ${version}`, license, text: texts.join('\n\n') };
}

function readText(file: string): string {
  return readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim();
}

/** The page of all notices. Works with the same text share it. */
export function renderNotices(notices: readonly Notice[]): string {
  const byText = Map.groupBy(notices, ({ text }) => text);
  const sections = [...byText].map(([text, works]) => {
    const names = works.map(({ name, license }) => `${name} (${license})`);
    return `${RULE}\n${names.join('\n')}\n${RULE}\n\n${text}\n`;
  });
  return `Third-party notices

The package neuron-execution-service holds code and data of the works below: in the bundles of its
functions (dist/bundles) and in the page of \`neuron console\` (dist/console). Each stays under its own
licence. Packages that npm installs beside it bring their licences themselves.

${sections.join('\n')}`;
}

/** The text of THIRD-PARTY-NOTICES.txt for what is installed. */
export async function buildNotices(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'neuron-notices-'));
  try {
    const packages = await findBundledPackages(folder);
    const data = DATA.map(({ file, ...work }) => ({ ...work, text: readText(join(ROOT, file)) }));
    return renderNotices([...packages.map((name) => readNotice(name)), ...data]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) writeFileSync(join(ROOT, 'THIRD-PARTY-NOTICES.txt'), await buildNotices());
