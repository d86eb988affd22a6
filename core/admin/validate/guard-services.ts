// Validates guards by services: their providers, and uses where they would judge nothing.

import type { Guard, GuardUse } from '../../settings/guards/guards-schema.ts';
import { analysesText } from '../../settings/guards/remote/azure-shield.ts';
import { BEDROCK_ENTITIES } from '../../settings/guards/remote/bedrock-names.ts';
import type { Organization } from '../../settings/organization-schema.ts';
import type { Path } from '../../settings/path.ts';
import { errorAt, type PartDiagnostic } from '../diagnostic.ts';
import { unknownProvider } from './references.ts';

/** Guards ask models through providers with an OpenAI-compatible endpoint alone. */
export function validateGuardProvider(
  guard: Guard,
  { organization, providers }: Pick<Organization, 'organization' | 'providers'>,
  path: Path,
): PartDiagnostic[] {
  if (!('provider' in guard)) return [];
  const { provider: name } = guard;
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  const at = [...path, 'provider'];
  if (provider === undefined)
    return [errorAt(at, unknownProvider(name, organization, Object.keys(providers)))];
  if (provider.type === 'openai') return [];
  return [
    errorAt(at, `${name} is of type ${provider.type}, and a guard asks providers of type openai alone`),
  ];
}

/** A guard that is used where its service has nothing to say would look like one that judges. */
export function validateServiceUse(use: GuardUse, guard: Guard | undefined, path: Path): PartDiagnostic[] {
  const ofAnswer = use.on.find((stage) => stage === 'output' || stage === 'toolCalls');
  if (guard?.type !== 'azureShield' || ofAnswer === undefined || analysesText(guard)) return [];
  return [
    errorAt(
      [...path, 'on'],
      `has ${ofAnswer}, and shields judge what is sent to a model: take it out, or add harms or blocklists to ${use.use}`,
    ),
  ];
}

/** The schema takes names that the release does not know, and the service refuses a misspelt one with each call. */
export function validateEntities(guard: Guard, path: Path): PartDiagnostic[] {
  if (guard.type !== 'bedrockChecks') return [];
  return (guard.sensitiveInformation?.entities ?? []).flatMap((entity, index) =>
    BEDROCK_ENTITIES.includes(entity)
      ? []
      : [
          errorAt(
            [...path, 'sensitiveInformation', 'entities', index],
            `is no entity of Bedrock: those are ${BEDROCK_ENTITIES.join(', ')}`,
          ),
        ],
  );
}
