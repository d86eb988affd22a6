// `npm run measure:semantic`: measures how well an embedding tells apart the questions that the guard is tested on. For one's own
// model: `-- --base-url URL --model NAME` with the key, if needed, in EMBEDDING_API_KEY.
import { parseArgs } from 'node:util';
import { createHttp } from '../adapters/http/request.ts';
import { systemClock } from '../adapters/platform/clock.ts';
import { createLexicalEmbeddings } from '../adapters/providers/lexical/index.ts';
import { createOpenaiEmbeddings } from '../adapters/providers/openai/embeddings.ts';
import { DIMENSIONS } from '../core/cache/embed.ts';
import { digestOfFeatures } from '../core/cache/semantic-guard.ts';
import type { EmbeddingProvider } from '../core/ports/providers.ts';
import { NEAR_MISSES, PARAPHRASES, type Pair, UNSEEN } from '../test/core/cache/semantic-guard-pairs.ts';

const THRESHOLDS = [0.8, 0.85, 0.9, 0.95, 0.98];

const { values } = parseArgs({ options: { 'base-url': { type: 'string' }, model: { type: 'string' } } });
const model = values.model ?? 'lexical';
const embeddings = open(values['base-url']);

const same = await similarities(PARAPHRASES);
const near = await similarities(Object.values(NEAR_MISSES).flat());
const unseen = await similarities(UNSEEN);

const rows = THRESHOLDS.map((threshold) => {
  const reach = (pairs: readonly PairMeasurement[]) =>
    pairs.filter(({ similarity }) => similarity >= threshold);
  const passed = (pairs: readonly PairMeasurement[]) => reach(pairs).filter(({ guarded }) => !guarded);
  const right = passed(same).length;
  const wrong = passed(near).length + passed(unseen).length;
  const unguarded = reach(near).length + reach(unseen).length;
  const precision = right + wrong === 0 ? '' : (right / (right + wrong)).toFixed(2);
  return `| ${threshold.toFixed(2)} | ${right} of ${same.length} | ${unguarded} | ${wrong} | ${precision} |`;
});
const head =
  '| Threshold | Paraphrases hit | Wrong without the guard | Wrong with it | Precision |\n|---|---|---|---|---|';
const counts = `${near.length} near misses, ${unseen.length} pairs that the guard does not see`;
process.stdout.write(`${model}, ${counts}\n\n${head}\n${rows.join('\n')}\n`);

interface PairMeasurement {
  readonly similarity: number;
  readonly guarded: boolean;
}

function open(baseUrl: string | undefined): EmbeddingProvider {
  if (baseUrl === undefined) return createLexicalEmbeddings();
  const key = process.env['EMBEDDING_API_KEY'];
  return createOpenaiEmbeddings(
    { type: 'openai', baseUrl, ...(key === undefined ? {} : { apiKey: { secret: 'key' } }) },
    { organizationId: '-', secrets: { read: async () => key }, http: createHttp(), clock: systemClock },
  );
}

async function similarities(pairs: readonly Pair[]): Promise<PairMeasurement[]> {
  const measured: PairMeasurement[] = [];
  for (const [one, other] of pairs) {
    const [a, b] = [await vectorOf(one), await vectorOf(other)];
    const dot = (x: readonly number[], y: readonly number[]) =>
      x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
    const similarity = dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
    measured.push({ similarity, guarded: digestOfFeatures(one) !== digestOfFeatures(other) });
  }
  return measured;
}

async function vectorOf(text: string): Promise<readonly number[]> {
  const signal = AbortSignal.timeout(10_000);
  const { vectors } = await embeddings.embed({ model, inputs: [text], dimensions: DIMENSIONS, signal });
  return vectors[0] ?? [];
}
