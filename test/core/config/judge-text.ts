// Settings as text, judged as `neuron apply` judges them for a deployed stage.
import { expect } from 'vitest';
import { parseYaml } from '../../../adapters/yaml/parse-yaml.ts';
import { renderFinding } from '../../../core/config/finding.ts';
import { type JudgeContext, judgeDocuments } from '../../../core/config/judge.ts';

const deployed: JudgeContext = {
  addresses: { allowLoopback: false },
  maxDeadlineMs: 120_000,
  transferMode: 'STREAM',
  stored: new Map(),
  complete: true,
};

/** An organization with a provider `demo`. */
export const acme = 'organization: acme\nproviders: { demo: { type: echo } }\n';
/** A flow of one model call. */
export const callDemo = 'flow: [{ callModel: { provider: demo, model: m } }]\n';

/** What is said about the file `a.yaml`. */
export function judge(text: string, context: Partial<JudgeContext> = {}) {
  const { documents, findings } = parseYaml('a.yaml', text);
  expect(findings).toEqual([]);
  return judgeDocuments(documents, { ...deployed, ...context });
}

/** Why it is refused, as it is printed; empty where it is taken. */
export function refusals(text: string, context: Partial<JudgeContext> = {}): string[] {
  return judge(text, context).refusals.map(renderFinding);
}
