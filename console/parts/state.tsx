// States of a query: loading, failed, empty, and its notes.
import type { ComponentChildren } from 'preact';
import type { ConsoleError } from '../data/api.ts';
import type { Query } from '../data/use-query.ts';

export function Failure({ error, retry }: { readonly error: ConsoleError; readonly retry?: () => void }) {
  return (
    <div class="failure" role="alert">
      <strong>{error.message}</strong>
      {error.why && <p>{error.why}</p>}
      {error.remedy && <Remedy text={error.remedy} />}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Text with commands in backticks as code. */
export function Remedy({ text }: { readonly text: string }) {
  return (
    <p class="remedy">
      {text
        .split('`')
        .map((part, index) =>
          index % 2 === 1 ? <code key={index}>{part}</code> : <span key={index}>{part}</span>,
        )}
    </p>
  );
}

/** Says that there is nothing, and how to change that. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      {children && <div>{children}</div>}
    </div>
  );
}

export function NoNeurons() {
  return (
    <Empty title="There are no neurons yet.">
      <p>
        Add one to a settings file, then run <code>neuron apply PATH</code>.
      </p>
    </Empty>
  );
}

/** Draws a placeholder until the query has data. A failure is drawn above older data. */
export function QueryResult<Value>({
  query,
  children,
  lines = 3,
}: {
  readonly query: Query<Value>;
  readonly children: (value: Value) => ComponentChildren;
  readonly lines?: number;
}) {
  const { data, error, reload } = query;
  return (
    <>
      {error && <Failure error={error} retry={reload} />}
      {data === undefined ? !error && <Placeholder lines={lines} /> : children(data)}
    </>
  );
}

function Placeholder({ lines }: { readonly lines: number }) {
  return (
    <div class="placeholder" role="status">
      <span class="hidden">Loading…</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}

export function Notes({
  messages = [],
  warnings = [],
}: {
  messages?: readonly string[];
  warnings?: readonly string[];
}) {
  if (messages.length + warnings.length === 0) return null;
  return (
    <ul class="notes">
      {warnings.map((text) => (
        <li key={text} class="warning">
          <Remedy text={text} />
        </li>
      ))}
      {messages.map((text) => (
        <li key={text}>
          <Remedy text={text} />
        </li>
      ))}
    </ul>
  );
}
