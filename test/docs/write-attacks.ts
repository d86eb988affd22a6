// `npm run build:attacks`: writes docs/attacks.md from the proofs in docs/proof and the corpora of the tests. A test keeps it up to date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sum } from '../../core/text/numbers.ts';
import { REFUSED_BLOCKS, USABLE_BLOCKS } from '../core/access/decision-table.ts';
import { JWT_BLOCKS } from '../core/access/jwt-decision-table.ts';
import { ROOT } from '../source-tree.ts';

/** Where the page is. */
export const PAGE = join(ROOT, 'docs', 'attacks.md');

/** What was attacked, with what came of it, and how to repeat it. */
interface Attack {
  readonly target: string;
  readonly tried: string;
  readonly held: string;
  readonly repeat: string;
  /** Of the numbers; absent where each run of the tests gives the result. */
  readonly proof?: string;
}

/** Tests that are named on the page, by file and title. */
interface Held {
  readonly claim: string;
  readonly file: string;
  readonly title: string;
}

type Proof = Readonly<Record<string, unknown>> & { readonly date: string; readonly commit: string };

function readProof(name: string): Proof {
  return JSON.parse(readFileSync(join(ROOT, 'docs', 'proof', `${name}.json`), 'utf8')) as Proof;
}

interface ExportProof {
  readonly kills: number;
  readonly isEqual: boolean;
  readonly verified: { readonly isIntact: boolean };
}

/** A number of a proof, as the page writes it. Throws where the proof has none. */
function numberIn(proof: Proof, member: string): string {
  const value = proof[member];
  if (typeof value !== 'number') throw new Error(`a proof has no number ${member}`);
  return value >= 100 ? Math.round(value).toLocaleString('en-US') : String(Math.round(value * 10) / 10);
}

function proven(): readonly Attack[] {
  const access = readProof('mutation-access');
  const limits = readProof('limits');
  const mutations = readProof('mutation-limits');
  const cuts = readProof('stream-cuts') as Proof & {
    readonly byProtocol: Readonly<Record<string, object>>;
  };
  const schemas = readProof('hostile-schemas');
  const exported = readProof('export-200000') as Proof & { readonly formats: readonly ExportProof[] };
  const erased = readProof('erasure-200000');
  const guards = readProof('guards-corpora');
  const once = readProof('streams-at-once') as Proof & {
    readonly admitted: { readonly streamed: number; readonly unstreamed: number };
  };
  const rows = [...USABLE_BLOCKS, ...REFUSED_BLOCKS, ...JWT_BLOCKS].flatMap((block) => block.rows).length;
  return [
    {
      target: 'access',
      tried: `every kind of request through ${rows} rows of the decision table, as a function and over HTTP`,
      held: 'each is answered as its one row says',
      repeat: '`npx vitest run test/core/access`; over HTTP `npm run test:e2e -- test/e2e/access-table`',
    },
    {
      target: 'access, by its own tests',
      tried: `${numberIn(access, 'mutants')} changes of the code that decides, one at a time`,
      held: `${numberIn(access, 'killed')} fail a test, ${numberIn(access, 'timedOut')} end no test in time; ${numberIn(access, 'survivedWithReason')} change nothing that a caller can see, each with its reason; ${numberIn(access, 'survivedWithoutReason')} others`,
      repeat: '`npm run mutation`',
      proof: 'mutation-access',
    },
    {
      target: 'limits',
      tried: `${numberIn(limits, 'offered')} requests of many processes at once against counters in DynamoDB`,
      held: `${numberIn(limits, 'overshoot')} beyond a limit`,
      repeat: '`npm run prove:limits`',
      proof: 'limits',
    },
    {
      target: 'limits, by their own tests',
      tried: `${numberIn(mutations, 'mutants')} changes of the code that counts`,
      held: `${numberIn(mutations, 'survivedWithoutReason')} survive without a reason`,
      repeat: '`AREA=limits npm run mutation`',
      proof: 'mutation-limits',
    },
    {
      target: 'streams',
      tried: `${numberIn(cuts, 'streams')} streams of providers, broken at every byte: ${Object.keys(cuts.byProtocol['openai'] ?? {}).join(', ')}`,
      held: `${numberIn(cuts, 'errors')} end as errors and ${numberIn(cuts, 'whole')} as the whole answer that they were; none is taken for whole`,
      repeat: '`npm run prove:streams`',
      proof: 'stream-cuts',
    },
    {
      target: 'streams and budgets',
      tried: `${numberIn(once, 'callers')} streams at once against a budget of ${numberIn(once, 'budget')}`,
      held: `${once.admitted.streamed} are admitted, as without streams`,
      repeat: '`npm run prove:streams`',
      proof: 'streams-at-once',
    },
    {
      target: 'schemas of callers',
      tried: `${numberIn(schemas, 'pairs')} pairs of a hostile schema and an answer`,
      held: `none takes more than ${numberIn(schemas, 'maxCpuMs')} ms or ${numberIn(schemas, 'maxHeapMb')} MB; ${numberIn(schemas, 'unchecked')} are given up and say so`,
      repeat:
        '`HOSTILE_ANSWERS=1000 npx vitest run --config vitest.e2e.config.ts test/adapters/schema/hostile.test.ts`',
      proof: 'hostile-schemas',
    },
    {
      target: 'exports of the log',
      tried: `${sum(exported.formats.map(({ kills }) => kills))} kills amid exports of 200,000 entries, which were resumed`,
      held: `${exported.formats.filter(({ isEqual, verified }) => isEqual && verified.isIntact).length} of ${exported.formats.length} formats are those of an export that nobody killed, and intact`,
      repeat: '`npm run prove:audit`',
      proof: 'export-200000',
    },
    {
      target: 'erasure of a person',
      tried: `${numberIn(erased, 'erased')} entries of her over ${numberIn(erased, 'days')} days among ${numberIn(erased, 'entries')}, with ${numberIn(erased, 'kills')} kills; then lines, the stream and a backup of before`,
      held: 'no byte of her is in a table, an export, the archive or an answer of a command; each verifies and names the erasure',
      repeat: '`ERASURE_ENTRIES=200000 npm run prove:erasure`',
      proof: 'erasure-200000',
    },
    {
      target: 'guards',
      tried: `${numberIn(guards, 'texts')} texts of public sets at every place, by every surface: ${numberIn(guards, 'requests')} requests, ${numberIn(guards, 'streams')} of them streamed in pieces of 1 to 16 characters`,
      held: `${numberIn(guards, 'differences')} verdicts differ, and no value that was found gets out`,
      repeat: '`npm run prove:guards -- --each --sets sets`',
      proof: 'guards-corpora',
    },
  ];
}

/** Attacks whose result each run of the tests gives anew. */
export const HELD: readonly Held[] = [
  {
    claim: 'One changed character of a stored entry is found, and its attribute named',
    file: 'test/contract/tampering.test.ts',
    title: 'when one character of one attribute is changed, and names the attribute',
  },
  {
    claim: 'Items that somebody forged, with any attribute, stop no seal and no list',
    file: 'test/contract/forged-items.test.ts',
    title: '%s that is %s',
  },
  {
    claim: 'Exports with entries taken out or put in are named, with all digests made anew',
    file: 'test/cli/logs/seals/forged-exports.test.ts',
    title: '%s is named, with all digests made anew',
  },
  {
    claim: 'An export that is cut back is named by a head that was kept',
    file: 'test/cli/logs/seals/forged-exports.test.ts',
    title: 'cut back to an earlier state is named by a head that was kept',
  },
  {
    claim: 'A masked value comes back to the caller that sent it alone, of 64 at once',
    file: 'test/lambdas/execute/guards/beside.test.ts',
    title: '64 requests beside each other get their own values back, and no other',
  },
  {
    claim: 'A placeholder is that of one value and key, and of no other',
    file: 'test/core/guards/restore.test.ts',
    title: 'is the same for the same value and key, and another one for any other',
  },
  {
    claim: 'What a guard finds in a text it finds in its pieces, cut anywhere',
    file: 'test/core/guards/hold-back.test.ts',
    title: 'is inspected as the whole, however it is cut',
  },
  {
    claim: 'A guardrail that gives back another text than was sent blocks',
    file: 'test/adapters/guards/bedrock/align-masked.test.ts',
    title: 'are unknown for %j given back as %j',
  },
  {
    claim: 'A feedback token with one bit changed is refused',
    file: 'test/core/feedback/token.test.ts',
    title: 'refuses every token with one bit changed',
  },
  {
    claim: 'A feedback token that was cut is refused',
    file: 'test/core/feedback/token.test.ts',
    title: 'refuses every token that was cut',
  },
];

/** The whole page. */
export function renderPage(): string {
  return `# Attacks on the gateway itself

What was tried against access, limits, streams, schemas, the log, masks and tokens, and what came of it. \`npm run
build:attacks\` writes this page from [docs/proof](proof) and the tests; a test fails where it is not of the numbers that
stand there. How guards do on public sets is in [guards-results.md](guards-results.md).

## Proofs

The long ones are run before a release (\`.ci/deep\`), and their files name the commit and the digests of the code that
they are of; \`.ci/run\` fails where those of access and limits are of other code.

| Against | Tried | Held | Repeat | Of |
|---|---|---|---|---|
${proven().map(renderAttack).join('\n')}

## Held by each run of the tests

| What holds | Test |
|---|---|
${HELD.map(({ claim, file, title }) => `| ${claim} | \`${file}\` › \`${title}\` |`).join('\n')}

One of them: \`npx vitest run FILE\`, with \`--config vitest.e2e.config.ts\` for those that \`npm test\` leaves
to \`npm run test:e2e\`.

## Not tried

Nobody outside has attacked this service yet, and nothing here has run on an account ([verified.md](verified.md)).
Threats that are accepted, and why: [security.md](security.md).
`;
}

function renderAttack({ target, tried, held, repeat, proof }: Attack): string {
  return `| ${[target, tried, held, repeat, renderSource(proof)].join(' | ')} |`;
}

function renderSource(proof: string | undefined): string {
  if (proof === undefined) return 'each run';
  const { date, commit } = readProof(proof);
  return `[${date}, ${commit.slice(0, 8)}](proof/${proof}.json)`;
}

if (import.meta.main) writeFileSync(PAGE, renderPage());
