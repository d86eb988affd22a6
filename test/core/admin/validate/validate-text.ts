// Settings as text, judged as `neuron apply` judges them for a deployed stage.
import { expect } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic } from '../../../../core/admin/diagnostic.ts';
import { type ValidationContext, validateDocuments } from '../../../../core/admin/validate/documents.ts';

const deployed: ValidationContext = {
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
export function judge(text: string, context: Partial<ValidationContext> = {}) {
  const { documents, findings } = parseYaml('a.yaml', text);
  expect(findings).toEqual([]);
  return validateDocuments(documents, { ...deployed, ...context });
}

/** Why it is refused, as it is printed; empty where it is taken. */
export function refusals(text: string, context: Partial<ValidationContext> = {}): string[] {
  return judge(text, context).refusals.map(renderDiagnostic);
}
