// Runs SQL on files with DuckDB, an engine that shares no code with what wrote them.
import { DuckDBInstance } from '@duckdb/node-api';

/** The rows of a query; integers of 64 bits as BigInt. A path in it is relative to nothing: pass it whole. */
export async function queryDuckDb(sql: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  try {
    const connection = await instance.connect();
    try {
      return (await connection.runAndReadAll(sql)).getRowObjectsJS();
    } finally {
      connection.closeSync();
    }
  } finally {
    instance.closeSync();
  }
}
