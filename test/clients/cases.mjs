// What every client is asked, in its own way.
export const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const ASK = 'Hello there my friend';
export const ASK_TOOLS = 'weather and clock please';

/** What the tools say. */
export const TOOLS = {
  weather: ({ city }) => `${city} is sunny`,
  clock: ({ city }) => `${city} has noon`,
};
