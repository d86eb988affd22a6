// Reads what Azure AI Content Safety says of a text: kinds alone, since terms of blocklists are what it judged.
import * as z from 'zod/mini';
import { GuardFailure } from '../../../core/ports/guards.ts';
import {
  type AzureShieldGuard,
  HARMS,
  type Harm,
} from '../../../core/settings/guards/remote/azure-shield.ts';

const MAX_MATCHES = 10_000;

const attack = z.object({ attackDetected: z.boolean() });

/** The other member may be there too. */
const ofPrompt = z.object({
  userPromptAnalysis: attack,
  documentsAnalysis: z.optional(z.nullable(z.array(attack))),
});
const ofDocument = z.object({
  userPromptAnalysis: z.optional(z.nullable(attack)),
  documentsAnalysis: z.array(attack).check(z.length(1)),
});

const analysis = z.object({
  blocklistsMatch: z.optional(
    z.nullable(z.array(z.object({ blocklistName: z.string() })).check(z.maxLength(MAX_MATCHES))),
  ),
  categoriesAnalysis: z.array(
    z.object({ category: z.string(), severity: z.int().check(z.minimum(0), z.maximum(7)) }),
  ),
});

/** `PROMPT_ATTACK` or `DOCUMENT_ATTACK`, or nothing. Throws `GuardFailure` `unreadable`. */
export function readShield(json: unknown, isPrompt: boolean): readonly string[] {
  const { userPromptAnalysis, documentsAnalysis } = read(isPrompt ? ofPrompt : ofDocument, json);
  const isAttack = [userPromptAnalysis, ...(documentsAnalysis ?? [])].some((one) => one?.attackDetected);
  if (!isAttack) return [];
  return [isPrompt ? 'PROMPT_ATTACK' : 'DOCUMENT_ATTACK'];
}

const ENTITIES = { hate: 'HATE', selfHarm: 'SELF_HARM', sexual: 'SEXUAL', violence: 'VIOLENCE' } as const;

/** Throws `GuardFailure` `unreadable`, also where a category that was asked for has no severity. */
export function readAnalysis(
  json: unknown,
  { harms = {}, blocklists }: Pick<AzureShieldGuard, 'harms' | 'blocklists'>,
): readonly string[] {
  const { categoriesAnalysis, blocklistsMatch } = read(analysis, json);
  if (blocklists !== undefined && !Array.isArray(blocklistsMatch)) throw unreadable();
  const found = (Object.keys(harms) as Harm[]).filter((name) => {
    const severities = categoriesAnalysis.filter(({ category }) => category === HARMS[name]);
    if (severities.length === 0) throw unreadable();
    return severities.some(({ severity }) => severity >= (harms[name] ?? 0));
  });
  return [
    ...found.map((name) => ENTITIES[name]),
    ...(blocklists !== undefined && (blocklistsMatch ?? []).length > 0 ? ['BLOCKLIST'] : []),
  ];
}

function read<Schema extends z.ZodMiniType>(schema: Schema, json: unknown): z.output<Schema> {
  const { success, data } = schema.safeParse(json);
  if (!success) throw unreadable();
  return data;
}

function unreadable(): GuardFailure {
  return new GuardFailure('unreadable', 200);
}
