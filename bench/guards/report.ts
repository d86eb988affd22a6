// `npm run guards:report -- --sets FOLDER [--config FILE]`: runs public sets through guards, and writes docs/guards-results.md.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from '../write-proof.ts';
import { readOptions, toConfigRun } from './config/options.ts';
import { ATTACK_SOURCES, missingPromptSets } from './config/prompts.ts';
import { readRecords, renderSection } from './config/records.ts';
import { measureHeldOut, readHeldOut } from './held-out.ts';
import {
  disguise,
  type FindCounts,
  measureCpu,
  measureLabels,
  measureMarks,
  measureStream,
  openGuard,
  textsOf,
} from './measure.ts';
import { missingIn, readBenign, readGitleaks, readPresidio, readSecretlint, SOURCES } from './sets.ts';

const options = readOptions(process.argv.slice(2));
const { sets } = options;
const configRun = toConfigRun(options);

const missing = configRun === undefined ? [...missingIn(sets), ...missingHeldOut()] : missingPromptSets(sets);
if (missing.length > 0) {
  for (const { folder, url, commit } of missing)
    process.stderr.write(
      `git clone ${url} ${join(sets, folder)} && git -C ${join(sets, folder)} checkout ${commit}\n`,
    );
  process.stderr.write(`${sets} has not all sets. Run the lines above, and then this command again.\n`);
  process.exit(1);
}

if (configRun !== undefined) {
  const { runConfig } = await import('./config/run.ts');
  await runConfig(configRun);
  process.exit(0);
}

function missingHeldOut() {
  return [ATTACK_SOURCES.bipia].filter(({ folder }) => !existsSync(join(sets, folder)));
}

const PII = {
  email: 'EMAIL_ADDRESS',
  card: 'CREDIT_CARD',
  iban: 'IBAN_CODE',
  usSsn: 'US_SSN',
  ip: 'IP_ADDRESS',
  phone: 'PHONE_NUMBER',
} as const;
const REGIONS = ['US', 'GB', 'DE', 'FR'] as const;
const COUNTRIES = [
  'AU',
  'BE',
  'BR',
  'CA',
  'CH',
  'DE',
  'ES',
  'FI',
  'FR',
  'GB',
  'IN',
  'IT',
  'NL',
  'PL',
  'SE',
  'US',
] as const;

const share = (part: number, all: number) => (all === 0 ? '' : (part / all).toFixed(3));
const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;

function findRow(guard: string, set: string, found: FindCounts): string {
  const { marked, recalled, found: finds, right } = found;
  return row(guard, set, marked, share(recalled, marked), finds, share(right, finds));
}

const presidio = readPresidio(sets);
const benign = readBenign(sets);
const gitleaks = readGitleaks(sets);
const secretlint = readSecretlint(sets);

const entity = (name: keyof typeof PII) =>
  openGuard({ type: 'pii', entities: [name], ...(name === 'phone' ? { regions: [...REGIONS] } : {}) });
const DISGUISES = [
  ['no-break spaces', (value: string) => value.replaceAll(' ', '\u00a0')],
  [
    'full-width forms',
    (value: string) => value.replaceAll(/[!-~]/g, (one) => String.fromCharCode(one.charCodeAt(0) + 0xfee0)),
  ],
  ['zero-width spaces', (value: string) => [...value].join('\u200b')],
] as const;

const piiRows = Object.entries(PII).map(([name, kind]) =>
  findRow(`\`${name}\``, 'presidio-research', measureMarks(entity(name as keyof typeof PII), presidio, kind)),
);
const disguisedRows = DISGUISES.flatMap(([how, change]) =>
  (['email', 'card', 'iban', 'usSsn', 'ip'] as const).map((name) => {
    const found = measureMarks(entity(name), disguise(presidio, PII[name], change), PII[name]);
    return row(`\`${name}\``, how, found.marked, share(found.recalled, found.marked));
  }),
);
const national = openGuard({ type: 'pii', entities: ['nationalId'], regions: [...COUNTRIES] });
const falseIds = presidio.filter(({ text }) => national.find(text).length > 0).length;

const secrets = openGuard({ type: 'secrets' });
const ofGitleaks = measureLabels(secrets, gitleaks.texts, false);
const ofSecretlint = measureLabels(secrets, secretlint, true);
const phrases = openGuard({ type: 'phrases' });
const falsePhrases = benign.filter((text) => phrases.find(text).length > 0).length;

const heldOut = readHeldOut(sets);
const everyType = [
  ...Object.keys(PII).map((name) => [name, entity(name as keyof typeof PII)] as const),
  ...([
    ['nationalId', national],
    ['secrets', secrets],
    ['phrases', phrases],
  ] as const),
];
const heldOutRows = everyType.map(([name, guard]) => {
  const { finds, wrong, unread, wrongTexts } = measureHeldOut(guard, heldOut);
  return row(`\`${name}\``, finds, wrong, unread, share(wrongTexts, heldOut.length));
});

const everything = [openGuard({ type: 'pii', entities: ['email', 'card', 'iban', 'usSsn', 'ip'] }), secrets];
const isAscii = (text: string) => /^[\t\n\r -~]*$/.test(text);
const english = presidio.map(({ text }) => text).filter(isAscii);
const printed = english.map((text) => text.replaceAll("'", '’').replaceAll('-', '–').replaceAll('...', '…'));
const cpuRows = (
  [
    ['English', english],
    ['with printed hyphens and ellipses', printed],
  ] as const
).flatMap(([name, texts]) =>
  [10_000, 100_000].map((length) => {
    const { p50, p99 } = measureCpu(everything, textsOf(texts, length));
    return row(`${length / 1_000} KB ${name}`, p50.toFixed(2), p99.toFixed(2));
  }),
);
const streamRows = (
  [
    ['`pii` and `secrets`', everything],
    ['`pii`, `secrets` and `phrases`', [...everything, phrases]],
  ] as const
).map(([name, guards]) => {
  const { p50, p99, held } = measureStream(guards, textsOf(english, 10_000));
  return row(name, p50.toFixed(1), p99.toFixed(1), held.toFixed(1));
});

const sourceRows = Object.values(SOURCES).map(({ folder, url, commit, license }) =>
  row(`[${folder}](${url})`, `\`${commit.slice(0, 12)}\``, license),
);
const wrongSecretlint = ofSecretlint.found - ofSecretlint.right;
const wrongGitleaks = ofGitleaks.found - ofGitleaks.right;

const page = `# Guards in figures

Written by \`npm run guards:report\` on ${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${machine}. [guards.md](guards.md)
says what each type looks for, and what none of them finds.

## Sets

${row('Set', 'Commit', 'License')}
|---|---|---|
${sourceRows.join('\n')}

\`\`\`sh
npm run guards:report -- --sets sets   # says what to clone where a set is missing
\`\`\`

IPv6, first digits of cards, our own rules for secrets and for what is none, words before phone numbers and the limits of
\`phrases\` were made with these sets in view. The values drawn for gitleaks' samples have a seed of their own and are the same at each run.

## Personal data

A find counts where it overlaps what the set marks. Phone numbers are of the regions ${REGIONS.join(', ')}; the set names
most of them by a word before them, and those without one are not looked for.

${row('Type', 'Set', 'Marked', 'Recall', 'Finds', 'Precision')}
|---|---|---|---|---|---|
${piiRows.join('\n')}

\`nationalId\` with all ${COUNTRIES.length} regions: ${falseIds} of the ${presidio.length} texts, which mark none, have a find.

The same values as a reader sees them, written otherwise:

${row('Type', 'Written with', 'Values', 'Recall')}
|---|---|---|---|
${disguisedRows.join('\n')}

## Secrets

${row('Set', 'Bad texts', 'Found', 'Harmless texts', 'With a find')}
|---|---|---|---|---|
${row('gitleaks: samples of its own rules', ofGitleaks.marked, share(ofGitleaks.recalled, ofGitleaks.marked), ofGitleaks.harmless, wrongGitleaks)}
${row('secretlint: its recommended rules', ofSecretlint.marked, share(ofSecretlint.recalled, ofSecretlint.marked), ofSecretlint.harmless, wrongSecretlint)}

Of gitleaks ${gitleaks.unread} lists are made by code that is not read here. A harmless text of gitleaks counts where the
rule finds it that must not; the one that is found, an access token of Hugging Face made of one letter, is the very token that
secretlint calls bad: the sets contradict each other, and secrets come first here. A harmless text of secretlint looks like
two secrets to gitleaks' \`generic-api-key\`. Neither is found, by rules for just that: words in base64 that its list of
harmless words has, and 40 bytes that are no text as the secret key of AWS, which is one of 40 characters. Others
in base64 are found, a key of AWS that Kubernetes writes so, too. Texts of secretlint
that are harmless by an option of their test alone, its files in binary and its tests of comments are left out.

## Phrases

${falsePhrases} of ${benign.length} prompts without an attack have a find (NotInject and the benign ones of WildGuard, in InjecGuard).

## False alarms on a set that nothing was tuned on

${heldOut.length} mails, errors of programs and tables of [BIPIA](${ATTACK_SOURCES.bipia.url}), \`${ATTACK_SOURCES.bipia.commit.slice(0, 12)}\` (MIT), each once and without
its attacks. No rule of a guard was made for them. Each find was read by hand: \`ip\` finds the version
in \`WinPython-64bit-3.4.2.4\`, \`phone\` a date behind \`Mob Rule\`. At first \`card\` found a row of years whose check digit
is right; since then a card begins as networks issue them (ISO/IEC 7812-1), and so its row is no longer one of texts
that nobody has looked at. For \`ip\` and \`phone\` no rule was made: names of hosts end in a hyphen and an address, too.
The last column is the share of texts with a find that is wrong or unread.

${row('Type', 'Finds', 'Wrong', 'Unread', 'False alarms')}
|---|---|---|---|---|
${heldOutRows.join('\n')}

## CPU and waiting

Milliseconds of CPU for whole texts, \`pii\` (email, card, iban, usSsn, ip) and \`secrets\` together:

${row('Text', 'p50', 'p99')}
|---|---|---|
${cpuRows.join('\n')}

10 KB of English in pieces of four characters, all of them; and the characters that wait after a piece, on average:

${row('Guards', 'CPU, ms: p50', 'p99', 'Characters held')}
|---|---|---|---|
${streamRows.join('\n')}

${renderSection(readRecords())}`;
writeFileSync(join(import.meta.dirname, '../../docs/guards-results.md'), page);
process.stdout.write(page);
