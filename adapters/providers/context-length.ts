// Recognizes that a conversation is too long for the context of a model, by the words of each vendor.

/**
 * Beginnings of messages, since the rest may quote a caller. Anthropic: github.com/whoz-oss/coday/issues/26 and
 * docker/docker-agent/issues/569; Bedrock: aws-samples/assessment-generator/issues/2 and continuedev/continue/issues/9592; OpenAI and
 * vLLM: kaixindelele/ChatPaper/issues/64. Ollama and Perplexity: crmne/ruby_llm, spec/fixtures/vcr_cassettes.
 */
const TOO_LONG: readonly RegExp[] = [
  /^prompt (?:is )?too long\b/i,
  /^the total length of all messages is too long\b/i,
  /^input length and `?max_tokens`? exceed context limit\b/i,
  /^input is too long for requested model\b/i,
  /^this (?:model|endpoint)'s maximum context length is\b/i,
];

/** Bedrock's words before those of the model itself. */
const OF_THE_MODEL = /^The model returned the following errors: /;

export function saysContextTooLong(message: string | undefined): boolean {
  const own = message?.replace(OF_THE_MODEL, '');
  return own !== undefined && TOO_LONG.some((words) => words.test(own));
}
