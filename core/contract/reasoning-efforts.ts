// The efforts of models that think, in OpenAI's words and order.

/** How much a model thinks, from the least to the most. */
export const REASONING_EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];
