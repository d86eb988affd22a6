// The parameters of a tool: the input of its neuron, and the variables of the version that answers calls.
import type { Variable, Variables } from '../../settings/variables/variables-schema.ts';
import type { JsonObject } from '../../text/json.ts';

const INPUT = { type: 'string', description: 'The text to send.' };

/** A JSON Schema. The input may be left out where there is a variable to send in its place. */
export function inputSchemaOf(variables: Variables): JsonObject {
  const entries = Object.entries(variables);
  const required = entries.flatMap(([name, variable]) => (variable.required ? [name] : []));
  const needed = entries.length === 0 ? ['input'] : required;
  return {
    type: 'object',
    properties: {
      input: INPUT,
      ...Object.fromEntries(entries.map(([name, variable]) => [name, schemaOf(variable)])),
    },
    ...(needed.length === 0 ? {} : { required: needed }),
    additionalProperties: false,
  };
}

function schemaOf(variable: Variable): JsonObject {
  const { type, description, default: initial } = variable;
  return {
    type,
    ...(description === undefined ? {} : { description }),
    ...boundsOf(variable),
    ...(initial === undefined ? {} : { default: initial }),
  };
}

function boundsOf(variable: Variable): JsonObject {
  if (variable.type === 'boolean') return {};
  if (variable.enum !== undefined) return { enum: variable.enum };
  if (variable.type === 'string') return { maxLength: variable.maxLength };
  const { min, max } = variable;
  return { ...(min === undefined ? {} : { minimum: min }), ...(max === undefined ? {} : { maximum: max }) };
}
