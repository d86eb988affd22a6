/** More at once would only wait for each other: browsers open six connections to a host. */
const AT_ONCE = 8;

/** Runs the cases of one client in their order, some at once; gives by name what each came to. */
export async function runCases(client, cases) {
  const waiting = [...cases];
  const outcomes = {};
  const work = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      const { name, kind, ...options } = one;
      try {
        outcomes[name] = { ok: await client.kinds[kind](options) };
      } catch (error) {
        outcomes[name] = { error: client.describe(error) };
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcomes;
}
