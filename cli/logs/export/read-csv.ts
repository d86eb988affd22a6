// Reads an export in CSV back, cell by cell as it was written.
import { createReadStream } from 'node:fs';

/** A cell: undefined where there is nothing between two commas, not even quotes. */
type CsvCell = string | undefined;

/** Where the parser is: in a cell without quotes, within quotes, or after a quote that ends the cell or is doubled. */
type Place = 'plain' | 'quoted' | 'quote';

/** Every row, the header included. Memory holds a row. */
export async function* readCsv(path: string): AsyncGenerator<readonly CsvCell[]> {
  let row: CsvCell[] = [];
  let text = '';
  let place: Place = 'plain';
  let isQuoted = false;
  const endCell = () => {
    row.push(isQuoted || text !== '' ? text : undefined);
    text = '';
    isQuoted = false;
    place = 'plain';
  };
  for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
    for (const character of chunk) {
      if (place === 'quoted') {
        if (character === '"') place = 'quote';
        else text += character;
      } else if (character === '"') {
        // A second quote within quotes stands for one.
        if (place === 'quote') text += '"';
        place = 'quoted';
        isQuoted = true;
      } else if (character === ',') endCell();
      else if (character === '\n') {
        endCell();
        yield row;
        row = [];
      } else if (character !== '\r') text += character;
    }
  }
  if (row.length > 0 || text !== '' || isQuoted) {
    endCell();
    yield row;
  }
}
