// The part of OpenTelemetry's protocol that is sent, as JSON (github.com/open-telemetry/opentelemetry-proto, collector/trace/v1).

/** A value of an attribute; exactly one member. */
interface OtlpValue {
  readonly stringValue?: string;
  /** 64 bits, as text. */
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly OtlpValue[] };
}

export interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

export interface OtlpEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: readonly OtlpAttribute[];
}

/** Ids are hexadecimal here and base64 nowhere, as OTLP's JSON differs from that of protobuf. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly events?: readonly OtlpEvent[];
  readonly status?: { readonly code: number };
}

export function renderTraces(spans: readonly OtlpSpan[], stage: string): string {
  const resource = [
    { key: 'service.name', value: { stringValue: 'neuron-execution-service' } },
    { key: 'deployment.environment.name', value: { stringValue: stage } },
  ];
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: resource },
        scopeSpans: [{ scope: { name: 'neuron-execution-service' }, spans }],
      },
    ],
  });
}

/** The number of rejected spans in a receiver's answer of 200; 0 for anything else. */
export function rejectedSpans(answer: unknown): number {
  const { partialSuccess } = (answer ?? {}) as {
    readonly partialSuccess?: { readonly rejectedSpans?: unknown };
  };
  const rejected = Number(partialSuccess?.rejectedSpans ?? 0);
  return Number.isSafeInteger(rejected) && rejected > 0 ? rejected : 0;
}
