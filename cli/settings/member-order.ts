// Orders the members of printed settings, because the store keeps no order.

/** The order of the documentation. Other members follow by name. */
const ORDER: readonly string[] = `
  format organization neuron name tags models mcp providers prices guards mandatory usageLimits maxInputBytes deadline receipt access
  rateLimits whenCountersFail caching logging variables flow type baseUrl region public referers ips apiKey auth headers query jwt
  jwks sharedSecret provider model weight targets prompt metric scope limit period when claim is alertAt any match caseSensitive
  then else percentageA a b use on action text restore unseen entities deny allow
`
  .trim()
  .split(/\s+/);

const RANKS: ReadonlyMap<string, number> = new Map(ORDER.map((name, rank) => [name, rank]));

export function orderMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(orderMembers);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, orderMembers(member)]));
}

function rankOf(name: string): number {
  return RANKS.get(name) ?? ORDER.length;
}
