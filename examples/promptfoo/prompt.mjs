/** The prompt itself is the neuron's: promptfoo sends what a caller would. */
export default ({ vars: { question, order, days } }) => ({
  // As a conversation: an input that is JSON would else be taken for one.
  prompt: JSON.stringify([{ role: 'user', content: question }]),
  // A request of OpenAI's interface has no member for variables: they are in its metadata. The HTTP provider leaves them alone.
  config: { metadata: { variables: JSON.stringify({ order, days }) } },
});
