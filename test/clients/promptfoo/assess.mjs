// Assesses answers with the released promptfoo: reads a list of cases from the first file, and writes its verdicts to the second.
import { readFileSync, writeFileSync } from 'node:fs';
import promptfoo from 'promptfoo';

const [, , casesFile, verdictsFile] = process.argv;
const cases = JSON.parse(readFileSync(casesFile, 'utf8'));
const verdicts = [];
for (const { assert, threshold, output, latencyMs, cost, graded, vectors } of cases) {
  const provider = {
    id: () => 'scripted',
    callApi: async () => ({ output: graded }),
    callEmbeddingApi: async (text) => ({ embedding: vectors[text] }),
  };
  const test = { assert, threshold, options: { provider } };
  try {
    const { pass, score } = await promptfoo.assertions.runAssertions({
      prompt: '',
      test,
      latencyMs,
      providerResponse: { output, cost },
    });
    verdicts.push({ pass, score });
  } catch (error) {
    verdicts.push({ error: error.message });
  }
}
writeFileSync(verdictsFile, JSON.stringify(verdicts));
process.exit(0);
