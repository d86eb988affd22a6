// Asks OpenAI's moderation (platform.openai.com/docs/api-reference/moderations): scores of categories, and no places.
import * as z from 'zod/mini';
import {
  GuardFailure,
  type GuardService,
  type GuardVerdict,
  type ServiceFind,
} from '../../../core/ports/guards.ts';
import {
  MODERATION_CATEGORIES,
  type OpenaiModerationGuard,
} from '../../../core/settings/guards/remote/openai-moderation.ts';
import { toEndpointUrl } from '../../providers/openai/request.ts';
import type { GuardOwner, GuardPorts } from '../ports.ts';
import { openaiSettingsOf, postToProvider } from '../post-to-provider.ts';

const USAGE = { units: { call: 1 } };

const result = z.object({
  flagged: z.boolean(),
  categories: z.record(z.string(), z.nullable(z.boolean())),
  category_scores: z.record(z.string(), z.nullable(z.number().check(z.minimum(0), z.maximum(1)))),
});
type Result = z.output<typeof result>;

const answer = z.object({ results: z.array(result) });

export function createModerationGuard(
  guard: OpenaiModerationGuard,
  ports: GuardPorts & GuardOwner,
): GuardService {
  return {
    async inspect({ texts, signal }) {
      const settings = openaiSettingsOf(guard.provider, ports);
      const body = { model: guard.model, input: texts.map(({ text }) => text) };
      const url = toEndpointUrl(settings, 'moderations');
      const json = await postToProvider(settings, { url, body, signal }, ports);
      return readResults(json, texts.length, guard);
    },
  };
}

/** Throws `GuardFailure` `unreadable`, also for a list that is not of these texts. */
function readResults(json: unknown, count: number, guard: OpenaiModerationGuard): GuardVerdict {
  const { success, data } = answer.safeParse(json);
  if (!success || data.results.length !== count) throw unreadable();
  const found = data.results.map((one) => categoriesOf(one, guard));
  const finds = found.flatMap((names, text) => names.map((entity): ServiceFind => ({ entity, text })));
  return { verdict: finds.length > 0 ? 'block' : 'none', finds, usage: USAGE };
}

/** Throws for a category that settings name and the model has no score of. */
function categoriesOf(
  { flagged, categories, category_scores: scores }: Result,
  { thresholds }: OpenaiModerationGuard,
): readonly string[] {
  if (thresholds === undefined) {
    const own = MODERATION_CATEGORIES.filter((category) => categories[category] === true);
    // A category that is new here has a name that nobody has checked.
    return flagged && own.length === 0 ? ['OTHER'] : own.map(entityOf);
  }
  return MODERATION_CATEGORIES.filter((category) => {
    const threshold = thresholds[category];
    if (threshold === undefined) return false;
    const score = scores[category];
    if (typeof score !== 'number') throw unreadable();
    return score >= threshold;
  }).map(entityOf);
}

function entityOf(category: string): string {
  return category.toUpperCase().replaceAll(/[^A-Z]/g, '_');
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}
