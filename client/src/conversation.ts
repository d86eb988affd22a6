// The public types of conversations, in OpenAI's shape. Like those of types.ts they repeat what the service reads.

/** A part of a user's message; an image is a data URL of PNG, JPEG, GIF or WebP. */
export type NeuronPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      readonly image_url: { readonly url: string; readonly detail?: 'auto' | 'low' | 'high' };
    };

export type NeuronMessage =
  | { readonly role: 'user'; readonly content: string | readonly NeuronPart[] }
  | {
      readonly role: 'assistant';
      readonly content?: string | null | undefined;
      readonly tool_calls?: readonly NeuronSentToolCall[] | undefined;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }
  | { readonly role: 'system' | 'developer'; readonly content: string };

/** A call of a tool, sent back to the model; `arguments` is JSON as text. */
export interface NeuronSentToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

export type NeuronJsonSchema = Readonly<Record<string, unknown>>;

/** A tool of the caller. */
export interface NeuronTool {
  readonly type: 'function';
  readonly function: {
    /** 1 to 64 letters, digits, `_` or `-`. */
    readonly name: string;
    readonly description?: string | undefined;
    /** @default no parameters */
    readonly parameters?: NeuronJsonSchema | undefined;
    readonly strict?: boolean | undefined;
  };
}

/** Whether the model may, must or must not call a tool, or which one it must call. */
export type NeuronToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } };

/** The form that the answer must have. */
export type NeuronResponseFormat =
  | { readonly type: 'text' }
  | {
      readonly type: 'json_schema';
      readonly json_schema: {
        readonly name: string;
        readonly description?: string | undefined;
        readonly schema: NeuronJsonSchema;
        readonly strict?: boolean | undefined;
      };
    };

/** Sampling parameters, bounded by those of the neuron. */
export interface NeuronParameters {
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly stop?: string | readonly string[] | undefined;
  readonly seed?: number | undefined;
}
