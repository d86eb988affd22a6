// Draws the result of a command in a card, with its notes and the command line below.
import type { ComponentChildren } from 'preact';
import type { CommandResult } from '../../cli/console/api.ts';
import type { Query } from '../data/use-query.ts';
import { Card, CommandLine } from './layout.tsx';
import { Notes, QueryResult } from './state.tsx';

interface ResultCardProps<Value> {
  readonly query: Query<CommandResult<Value>>;
  readonly title: string | ((result: CommandResult<Value>) => string);
  readonly aside?: ComponentChildren;
  /** Lines of the placeholder. */
  readonly lines?: number;
  /** Drawn in place of the values where there are none. */
  readonly none?: ComponentChildren;
  readonly children: (values: readonly Value[], result: CommandResult<Value>) => ComponentChildren;
}

export function ResultCard<Value>({
  query,
  title,
  aside,
  lines = 3,
  none,
  children,
}: ResultCardProps<Value>) {
  return (
    <QueryResult query={query} lines={lines}>
      {(result) => (
        <>
          <Card title={typeof title === 'string' ? title : title(result)} aside={aside} wide>
            {result.values.length === 0 && none ? none : children(result.values, result)}
          </Card>
          {/* Without values the message would say the same as `none`. */}
          <Notes {...result} messages={result.values.length === 0 && none ? [] : result.messages} />
          <CommandLine command={result.command} />
        </>
      )}
    </QueryResult>
  );
}
