// Asks Presidio's analyzer: POST /analyze (microsoft.github.io/presidio/api-docs/api-docs.html), whose places are code points.
import * as z from 'zod/mini';
import {
  GuardFailure,
  type GuardService,
  type GuardVerdict,
  type ServiceFind,
} from '../../../core/ports/guards.ts';
import type { PresidioGuard } from '../../../core/settings/guards/remote/presidio.ts';
import { spansOf } from '../code-points.ts';
import type { GuardOwner, GuardPorts } from '../ports.ts';
import { postForVerdict } from '../post-json.ts';
import { withGuardSecret } from '../read-secret.ts';

const MAX_FINDS = 10_000;
const USAGE = { units: { call: 1 } };

/** It adds members from release to release. */
const answer = z
  .array(z.object({ entity_type: z.string(), start: z.number(), end: z.number(), score: z.number() }))
  .check(z.maxLength(MAX_FINDS));

export function createPresidioGuard(
  guard: PresidioGuard,
  { http, ...source }: GuardPorts & GuardOwner,
): GuardService {
  const { endpoint, apiKey, entities, language, minScore } = guard;
  const url = `${endpoint.replace(/\/+$/, '')}/analyze`;
  return {
    async inspect({ texts, signal }) {
      const [{ text } = { text: '' }] = texts;
      const body = JSON.stringify({ text, language, entities, score_threshold: minScore });
      const post = (headers: Readonly<Record<string, string>>): Promise<unknown> =>
        postForVerdict(http, { url, headers, text: body, signal });
      const json =
        apiKey === undefined
          ? await post({})
          : await withGuardSecret(apiKey.secret, source, (key) => post({ authorization: `Bearer ${key}` }));
      return readFinds(json, text, guard);
    },
  };
}

/** Throws `GuardFailure` `unreadable`, also for an entity that was not asked for: it may be a part of the text. */
function readFinds(json: unknown, text: string, { entities, minScore }: PresidioGuard): GuardVerdict {
  const { success, data } = answer.safeParse(json);
  if (!success) throw unreadable();
  const spanAt = spansOf(text);
  const finds = data
    .filter(({ score }) => score >= minScore)
    .map(({ entity_type: entity, start, end }): ServiceFind => {
      const span = entities.includes(entity) ? spanAt(start, end) : undefined;
      if (span === undefined) throw unreadable();
      return { entity, text: 0, span };
    });
  return { verdict: finds.length === 0 ? 'none' : 'block', finds, usage: USAGE };
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}
