// Asks Bedrock's checks, which need no guardrail: InvokeGuardrailChecks
// (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeGuardrailChecks.html). They give scores and places, and decide nothing.

import type { GuardService, InspectedText } from '../../../core/ports/guards.ts';
import type { BedrockChecksGuard } from '../../../core/settings/guards/remote/bedrock.ts';
import { CHECK_CATEGORIES } from '../../../core/settings/guards/remote/bedrock-names.ts';
import type { GuardPorts } from '../ports.ts';
import { readChecks } from './check-results.ts';
import { postSigned } from './post-signed.ts';

const PATH = '/guardrail-checks/invoke';

export function createBedrockChecks(
  guard: BedrockChecksGuard,
  ports: Pick<GuardPorts, 'http' | 'clock'>,
): GuardService {
  const checks = toChecks(guard);
  return {
    async inspect({ texts, signal }) {
      const body = { messages: texts.map(toMessage), checks };
      const json = await postSigned(ports, { region: guard.region, path: PATH, body, signal });
      return readChecks(json, texts, guard);
    },
  };
}

/**
 * A message for each text. Whatever a model did not write goes as the user's: the service takes `system` for instructions of an operator, and
 * these are a caller's.
 */
function toMessage({ role, text }: InspectedText) {
  return { role: role === 'assistant' ? 'assistant' : 'user', content: [{ text }] };
}

function toChecks({ promptAttack, contentFilter, sensitiveInformation }: BedrockChecksGuard) {
  return {
    ...(contentFilter === undefined
      ? {}
      : { contentFilter: toCategories(contentFilter, CHECK_CATEGORIES.contentFilter) }),
    ...(promptAttack === undefined
      ? {}
      : { promptAttack: toCategories(promptAttack, CHECK_CATEGORIES.promptAttack) }),
    ...(sensitiveInformation === undefined
      ? {}
      : {
          sensitiveInformation: { entities: sensitiveInformation.entities.map((type) => ({ type })) },
        }),
  };
}

function toCategories(thresholds: object, names: Readonly<Record<string, string>>) {
  const categories = Object.entries(names).flatMap(([name, category]) =>
    name in thresholds ? [{ category }] : [],
  );
  return { categories };
}
