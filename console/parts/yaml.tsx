// Shows settings as YAML, with highlighted keys.
import { Line } from './text.tsx';

const MAX_LINES = 3_000;

export function Yaml({ text, label }: { readonly text: string; readonly label: string }) {
  const lines = text.trimEnd().split('\n');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <pre class="block yaml" role="region" tabIndex={0} aria-label={label}>
      {lines.slice(0, MAX_LINES).map((line, index) => (
        <YamlLine key={index} line={line} />
      ))}
      {lines.length > MAX_LINES && lines.slice(MAX_LINES).join('\n')}
    </pre>
  );
}

export function YamlLine({ line }: { readonly line: string }) {
  const [whole, indent = '', key = ''] = /^([\s-]*)([\w./-]+:)(?=\s|$)/.exec(line) ?? [''];
  return (
    <span class="line">
      {indent}
      {key !== '' && <span class="key">{key}</span>}
      <Line text={line.slice(whole.length)} />
      {'\n'}
    </span>
  );
}
