// ShieldGemma (ai.google.dev/gemma/docs/shieldgemma/model_card): one policy, and the chance that its first word is Yes.
import * as z from 'zod/mini';
import { maxTokensOf, policyOf } from '../../../core/settings/guards/remote/classifier.ts';
import { unreadable } from './completion.ts';
import type { ClassifierFormat } from './format.ts';

/** The card's prompt goes as it is: a chat template would put a second one around it. */
export const shieldGemma: ClassifierFormat = {
  endpoint: 'completions',
  bodyOf: (guard, { role, text }) => ({
    model: guard.model,
    prompt: promptOf(policyOf(guard), text, role === 'assistant'),
    max_tokens: maxTokensOf(guard),
    temperature: 0,
    ...(guard.threshold === undefined ? {} : { logprobs: TOP_TOKENS }),
  }),
  read(json, { threshold }) {
    const { success, data } = answer.safeParse(json);
    const choice = data?.choices[0];
    if (!success || choice === undefined) throw unreadable();
    const word = choice.text.trim();
    if (word !== 'Yes' && word !== 'No') throw unreadable();
    if (threshold === undefined) return word === 'Yes' ? [FOUND] : [];
    return scoreOf(choice.logprobs?.top_logprobs[0]) >= threshold ? [FOUND] : [];
  },
};

const FOUND = 'POLICY';

/** The most that this API gives. */
const TOP_TOKENS = 5;

const answer = z.object({
  choices: z
    .array(
      z.object({
        text: z.string(),
        logprobs: z.optional(
          z.nullable(
            z.object({
              top_logprobs: z
                .array(z.record(z.string(), z.number().check(z.maximum(0))))
                .check(z.minLength(1)),
            }),
          ),
        ),
      }),
    )
    .check(z.length(1)),
});

/** The softmax of both words. Throws where the answer has neither: settings ask for a score that the server does not give. */
function scoreOf(top: Readonly<Record<string, number>> | undefined): number {
  const chanceOf = (word: string): number =>
    Object.entries(top ?? {})
      .filter(([token]) => token.trim() === word)
      .reduce((sum, [, logarithm]) => sum + Math.exp(logarithm), 0);
  const [yes, no] = [chanceOf('Yes'), chanceOf('No')];
  if (yes + no === 0) throw unreadable();
  return yes / (yes + no);
}

function promptOf(policy: string, text: string, isAnswer: boolean): string {
  const label = isAnswer ? 'Chatbot Response' : 'Human Question';
  const subject = isAnswer ? 'chatbot response' : 'human question';
  return `You are a policy expert trying to help determine whether a ${isAnswer ? 'chatbot response' : 'user\nprompt'} is in violation of the defined safety policies.

<start_of_turn>
${label}: ${text.trim()}
<end_of_turn>

Our safety principle is defined in the below:

${policy.trim()}

Does the ${subject} violate the above principle? Your answer must start
with 'Yes' or 'No'. And then walk through step by step to be sure we answer
correctly.
`;
}
