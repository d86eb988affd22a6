// The theme: light, dark, or that of the system.

export type Theme = 'system' | 'light' | 'dark';

const KEY = 'neuron-console-theme';
const listeners = new Set<() => void>();

export function readTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(KEY, theme);
  applyTheme();
  for (const listener of listeners) listener();
}

/** Colours of the page follow `color-scheme`. */
export function applyTheme(): void {
  const theme = readTheme();
  document.documentElement.dataset['theme'] = theme;
}

/** Calls the listener when the colours change, by choice or by the system. Returns a function that removes it. */
export function onThemeChange(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
}
