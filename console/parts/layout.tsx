// Parts of pages: heads, cards, figures, badges, command lines and choices.
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** Also sets the title of the tab. */
export function PageHead({
  title,
  detail,
  children,
}: {
  readonly title: string;
  readonly detail?: ComponentChildren;
  readonly children?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Neuron console`;
  }, [title]);
  return (
    <header class="page-head">
      <div>
        <h1>{title}</h1>
        {detail && <p class="detail">{detail}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

export function Card({
  title,
  aside,
  children,
  wide,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly wide?: boolean;
}) {
  return (
    <section class={wide ? 'card wide' : 'card'} aria-label={title}>
      <div class="card-head">
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}

export function Figure({
  label,
  value,
  detail,
  tone,
}: {
  readonly label: string;
  readonly value: string;
  readonly detail?: ComponentChildren;
  readonly tone?: 'bad' | 'good';
}) {
  return (
    <div class="figure">
      <span class="label">{label}</span>
      <span class={tone ? `value ${tone}` : 'value'}>{value}</span>
      {detail && <span class="detail">{detail}</span>}
    </div>
  );
}

export type Tone = 'good' | 'bad' | 'warn' | 'plain' | 'accent';

export function Badge({
  tone = 'plain',
  children,
}: {
  readonly tone?: Tone;
  readonly children: ComponentChildren;
}) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

const OUTCOME_TONES: Readonly<Record<string, Tone>> = { success: 'good', failed: 'bad', refused: 'warn' };

export function Outcome({ outcome }: { readonly outcome: string }) {
  return <Badge tone={OUTCOME_TONES[outcome] ?? 'plain'}>{outcome}</Badge>;
}

/** A command line that can be copied. `plain`: a text that is no command. */
export function CommandLine({ command, plain }: { readonly command: string; readonly plain?: boolean }) {
  const [isCopied, setCopied] = useState(false);
  const copy = () => {
    navigator.clipboard.writeText(command).then(
      () => {
        setCopied(true);
        setTimeout(() => setCopied(false), 1_500);
      },
      () => setCopied(false),
    );
  };
  return (
    <div class="command">
      {!plain && (
        <span class="prompt" aria-hidden="true">
          $
        </span>
      )}
      <code>{command}</code>
      <button type="button" class="quiet" onClick={copy} aria-label={plain ? 'Copy' : 'Copy the command'}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  );
}

export function Choice<Value extends string>({
  label,
  values,
  value,
  onChange,
}: {
  readonly label: string;
  readonly values: readonly (readonly [Value, string])[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
  return (
    <fieldset class="choice">
      <legend class="hidden">{label}</legend>
      {values.map(([one, text]) => (
        <button type="button" key={one} aria-pressed={one === value} onClick={() => onChange(one)}>
          {text}
        </button>
      ))}
    </fieldset>
  );
}
