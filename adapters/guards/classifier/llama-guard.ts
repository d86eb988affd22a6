// Llama Guard 3 and 4 (github.com/meta-llama/PurpleLlama, MODEL_CARD.md): the server's template puts its question around a conversation.
import { LLAMA_GUARD_HAZARDS, maxTokensOf } from '../../../core/settings/guards/remote/classifier.ts';
import { buildCompletionRequest } from '../../providers/openai/request.ts';
import { chatTextOf, unreadable } from './completion.ts';
import type { ClassifierFormat } from './format.ts';

/** Its template wants turns of user and assistant by turns, and judges the last one. */
const NOT_SHOWN = '(not shown)';

/** All hazards, with blanks between them. A server that sends more is not let spend our time on it. */
const MAX_VERDICT = 200;

/** The second line names what was found. */
const VERDICT = /^(?:(safe)|unsafe(?:\s*\n\s*(S\d{1,2}(?:\s*,\s*S\d{1,2})*))?)$/;

export const llamaGuard: ClassifierFormat = {
  endpoint: 'chat/completions',
  bodyOf(guard, { role, text }, { baseUrl }) {
    const said = [{ type: 'text', text }] as const;
    const messages =
      role === 'assistant'
        ? ([
            { role: 'user', content: [{ type: 'text', text: NOT_SHOWN }] },
            { role: 'assistant', blocks: said },
          ] as const)
        : ([{ role: 'user', content: said }] as const);
    return buildCompletionRequest(baseUrl, {
      model: guard.model,
      system: [],
      messages,
      maxTokens: maxTokensOf(guard),
      temperature: 0,
    });
  },
  read(json, { categories }) {
    const text = chatTextOf(json);
    const match = text.length > MAX_VERDICT ? null : VERDICT.exec(text);
    if (match === null) throw unreadable();
    const [, safe, listed] = match;
    if (safe !== undefined) return [];
    // It says no more: then it counts, whichever hazards settings name.
    if (listed === undefined) return ['UNSAFE'];
    const named = [...new Set(listed.split(',').map((one) => one.trim()))];
    if (!named.every((one) => LLAMA_GUARD_HAZARDS.includes(one))) throw unreadable();
    return categories === undefined ? named : named.filter((one) => categories.includes(one));
  },
};
