// Makes the secrets that the template has.

import { createHash, randomUUID } from 'node:crypto';
import { asList, asObject, asText } from '../functions/template-values.ts';
import type { ResolvedResource, ResolvedStack } from '../template/types.ts';
import { generateSecretString } from './password.ts';
import { addVersion, CURRENT, type Secret } from './secret.ts';
import type { SecretStore } from './store.ts';

/**
 * Creates secrets that are missing, and sets a value anew when the template's own changed: one that was set since by a
 * call stays otherwise. A secret that is in no template any more is left alone.
 * @param now seconds since 1970
 */
export function applySecrets(stacks: readonly ResolvedStack[], store: SecretStore, now: number): void {
  for (const resource of stacks.flatMap((stack) => stack.resources)) {
    if (resource.type === 'AWS::SecretsManager::Secret') applySecret(resource, store, now);
  }
}

function applySecret(resource: ResolvedResource, store: SecretStore, now: number): void {
  const { properties } = resource;
  const arn = resource.physicalId;
  const name = arn.split(':').slice(6).join(':').slice(0, -'-123456'.length);
  const { SecretString: text, GenerateSecretString: generate } = properties;
  const digest = createHash('sha256')
    .update(JSON.stringify([text, generate]))
    .digest('hex');
  const existing = store.find(name);
  const { deletion: _deletion, ...kept } = existing ?? { name, arn, createdAt: now, versions: {} };
  const description = asText(properties['Description']);
  const secret: Secret = {
    ...kept,
    ...(description === undefined ? {} : { description }),
    tags: asList(properties['Tags'])
      .map(asObject)
      .map((tag) => ({ Key: String(tag['Key']), Value: asText(tag['Value']) ?? '' })),
    changedAt: existing?.changedAt ?? now,
    templateDigest: digest,
  };
  // With neither, the secret is empty until a call sets it.
  if (existing?.templateDigest === digest || (text === undefined && generate === undefined)) {
    store.put(secret);
    return;
  }
  const secretString = asText(text) ?? generateSecretString(asObject(generate));
  store.put({
    ...addVersion(secret, randomUUID(), { secretString, createdAt: now, stages: [CURRENT] }),
    changedAt: now,
  });
}
