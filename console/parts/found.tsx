// What a command has found: in a card, with the notes of the command and the command itself below.
import type { ComponentChildren } from 'preact';
import type { CommandResult } from '../../cli/console/api.ts';
import type { Query } from '../data/use-query.ts';
import { Card, CommandLine } from './layout.tsx';
import { Loaded, Notes } from './state.tsx';

interface FoundProps<Value> {
  readonly query: Query<CommandResult<Value>>;
  readonly title: string | ((result: CommandResult<Value>) => string);
  readonly aside?: ComponentChildren;
  /** Of the placeholder. */
  readonly lines?: number;
  /** Drawn in the card where nothing was found; the values are drawn nevertheless where it is absent. */
  readonly none?: ComponentChildren;
  readonly children: (values: readonly Value[], result: CommandResult<Value>) => ComponentChildren;
}

export function Found<Value>({ query, title, aside, lines = 3, none, children }: FoundProps<Value>) {
  return (
    <Loaded query={query} lines={lines}>
      {(result) => (
        <>
          <Card title={typeof title === 'string' ? title : title(result)} aside={aside} wide>
            {result.values.length === 0 && none ? none : children(result.values, result)}
          </Card>
          {/* Where nothing was found, the message says so again. */}
          <Notes {...result} messages={result.values.length === 0 && none ? [] : result.messages} />
          <CommandLine command={result.command} />
        </>
      )}
    </Loaded>
  );
}
