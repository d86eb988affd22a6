// Asks a guardrail of Amazon Bedrock: ApplyGuardrail (docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ApplyGuardrail.html).
import { ServiceError } from '../../../core/contract/service-error.ts';
import type { GuardService } from '../../../core/ports/guards.ts';
import type { Stage } from '../../../core/settings/guards/guards-schema.ts';
import type { BedrockGuard } from '../../../core/settings/guards/remote/bedrock.ts';
import type { GuardPorts } from '../ports.ts';
import { readAssessment } from './assessment.ts';
import { postSigned } from './post-signed.ts';

export function createBedrockGuard(
  { guardrail, version, region }: BedrockGuard,
  ports: Pick<GuardPorts, 'http' | 'clock'>,
): GuardService {
  const path = `/guardrail/${encodeURIComponent(guardrail)}/version/${version}/apply`;
  return {
    async inspect({ stage, texts, signal }) {
      const body = {
        source: OF_MODELS.has(stage) ? 'OUTPUT' : 'INPUT',
        content: texts.map(({ text }) => ({ text: { text } })),
      };
      const json = await postSigned(ports, { region: region ?? ownRegion(), path, body, signal });
      return readAssessment(json, texts);
    },
  };
}

const OF_MODELS: ReadonlySet<Stage> = new Set(['output', 'toolCalls']);

function ownRegion(): string {
  const region = process.env['AWS_REGION'];
  if (region !== undefined && region !== '') return region;
  throw new ServiceError('configuration', { reason: 'a guard has no region, and neither has the function' });
}
