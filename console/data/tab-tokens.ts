// Keeps the API key or JWT that was typed for an organization, until the tab is closed or loaded again.
import { useState } from 'preact/hooks';

/** In memory: what a browser stores for this address, whichever program listens there next could read. */
const typed = new Map<string, string>();

/** The token of the organization, and what sets it. */
export function useTabToken(organization: string): readonly [string, (token: string) => void] {
  const [, draw] = useState(0);
  const set = (token: string) => {
    typed.set(organization, token);
    draw((round) => round + 1);
  };
  return [typed.get(organization) ?? '', set];
}
