// Addresses of the pages.

/** The pages of an organization, in the order of the menu. */
export const PAGES = [
  { name: 'overview', title: 'Overview', key: 'o' },
  { name: 'logs', title: 'Logs', key: 'l' },
  { name: 'neurons', title: 'Neurons', key: 'n' },
  { name: 'keys', title: 'API keys', key: 'k' },
  { name: 'limits', title: 'Limits', key: 'i' },
  { name: 'access', title: 'Access', key: 'a' },
  { name: 'guards', title: 'Guards', key: 'g' },
  { name: 'people', title: 'People', key: 'u' },
  { name: 'rollouts', title: 'Rollouts', key: 'r' },
  { name: 'playground', title: 'Playground', key: 'p' },
  { name: 'changes', title: 'Changes', key: 'c' },
  { name: 'health', title: 'Health', key: 'h' },
] as const;

export type PageName = (typeof PAGES)[number]['name'];

/** `/o/acme/logs?user=ann`. */
export function pathTo(
  organization: string,
  page: PageName,
  query: Readonly<Record<string, string | undefined>> = {},
): string {
  const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(present as [string, string][]).toString();
  return `/o/${organization}/${page}${text === '' ? '' : `?${text}`}`;
}

/** `/o/acme/neurons/support`. */
export function pathToNeuron(organization: string, neuron: string): string {
  return `/o/${organization}/neurons/${neuron}`;
}
