// Draws the steps of a run and its model calls by start and duration.
import type { LoggedModelCall, LoggedStep } from '../../../core/contract/log-entry.ts';
import { formatCost, formatMs, formatNumber } from '../../data/format.ts';
import type { FullEntryValue } from '../../data/values.ts';
import { Block, Line } from '../../parts/text.tsx';

/** A bar. */
interface Span {
  readonly step: LoggedStep;
  readonly endMs: number;
  readonly call: LoggedModelCall | undefined;
}

export function Timeline({ entry }: { readonly entry: FullEntryValue }) {
  const { spans, others } = toSpans(entry);
  if (spans.length + others.length === 0) return null;
  const lengthMs = Math.max(entry.latencyMs, ...spans.map(({ endMs }) => endMs), 1);
  return (
    <section class="timeline" aria-label="Steps">
      <h3>
        Steps <span class="local">{formatMs(lengthMs)}</span>
      </h3>
      <ol>
        {spans.map(({ step, endMs, call }, index) => (
          <li key={index}>
            <div class="step-head">
              <code>{step.type}</code>
              {step.decision && <span class="local">→ {step.decision}</span>}
              <span class="time">+{formatMs(step.atMs)}</span>
            </div>
            <div class="track" aria-hidden="true">
              <i
                class={call ? 'span call' : 'span'}
                style={{
                  left: `${(step.atMs / lengthMs) * 100}%`,
                  width: `${Math.max(0.6, ((endMs - step.atMs) / lengthMs) * 100)}%`,
                }}
              />
            </div>
            {call && <Call call={call} />}
            <StepTexts step={step} />
          </li>
        ))}
        {others.map((call, index) => (
          <li key={`call ${index}`}>
            <Call call={call} />
          </li>
        ))}
      </ol>
    </section>
  );
}

/**
 * A step ends when the next one starts, the last one with the run. Model calls belong in order to the steps that call models. Others, such
 * as the embedding of a semantic search, belong to no step.
 */
function toSpans({ trace, modelCalls, latencyMs }: FullEntryValue): {
  readonly spans: readonly Span[];
  readonly others: readonly LoggedModelCall[];
} {
  const answers = modelCalls.filter(({ finish }) => finish !== 'embedding');
  const spans = trace.map((step, index) => ({
    step,
    endMs: Math.max(step.atMs, trace[index + 1]?.atMs ?? latencyMs),
    call: step.type === 'callModel' || step.type === 'embed' ? answers.shift() : undefined,
  }));
  return { spans, others: [...modelCalls.filter(({ finish }) => finish === 'embedding'), ...answers] };
}

function Call({ call }: { readonly call: LoggedModelCall }) {
  const attempts = call.attempts > 1 ? `, ${formatNumber(call.attempts)} attempts` : '';
  return (
    <p class="detail">
      <Line text={`${call.provider}/${call.model}`} />
      {call.modelVersion && call.modelVersion !== call.model && (
        <>
          {' '}
          (<Line text={call.modelVersion} />)
        </>
      )}
      : {formatMs(call.latencyMs)}, {formatNumber(call.tokensInput)} in, {formatNumber(call.tokensOutput)} out
      {call.estimated ? ', estimated' : ''}, {formatCost(call.costMicrodollars)}, <Line text={call.finish} />
      {call.firstTextMs !== undefined && `, streamed, first text after ${formatMs(call.firstTextMs)}`}
      {attempts}
      {call.attemptTimes?.map(({ atMs, latencyMs, failure }) => (
        <span key={atMs} class="block-line">
          +{formatMs(atMs)}: {failure === undefined ? 'answered' : <Line text={failure} />} after{' '}
          {formatMs(latencyMs)}
        </span>
      ))}
    </p>
  );
}

function StepTexts({ step }: { readonly step: LoggedStep }) {
  const texts = [
    ['Input', step.input],
    ['Output', step.output],
  ] as const;
  return (
    <>
      {step.matched && (
        <p class="detail">
          matched <Line text={step.matched.map((one) => JSON.stringify(one)).join(', ')} />
        </p>
      )}
      {texts.map(
        ([name, text]) =>
          text?.kind === 'full' && (
            <details key={name}>
              <summary>
                {name} <span class="local">{formatNumber(text.bytes)} bytes</span>
              </summary>
              <Block text={text.text} label={`${name} of the step`} />
            </details>
          ),
      )}
    </>
  );
}
