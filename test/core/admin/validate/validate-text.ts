// Settings as text, validated as `neuron apply` validates them for a deployed stage.
import { expect } from 'vitest';
import { parseYaml } from '../../../../adapters/yaml/parse-yaml.ts';
import { renderDiagnostic, splitBySeverity } from '../../../../core/admin/diagnostic.ts';
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
export function validate(text: string, context: Partial<ValidationContext> = {}) {
  const { documents, diagnostics } = parseYaml('a.yaml', text);
  expect(diagnostics).toEqual([]);
  const { input, diagnostics: all } = validateDocuments(documents, { ...deployed, ...context });
  return { input, ...splitBySeverity(all) };
}

/** Its errors as they are printed; empty where it is valid. */
export function errors(text: string, context: Partial<ValidationContext> = {}): string[] {
  return validate(text, context).errors.map(renderDiagnostic);
}
