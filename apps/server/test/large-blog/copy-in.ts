import type pg from "pg";
import type { Connection } from "pg";

type Cell = string | number | boolean | null | readonly string[];

/** A line of COPY's text format. A list of text becomes an array. */
export const copyLine = (cells: readonly Cell[]): string => `${cells.map(cellOf).join("\t")}\n`;

function cellOf(cell: Cell): string {
  if (cell === null) return "\\N";
  return escaped(typeof cell === "object" ? `{${cell.map((item) => JSON.stringify(item)).join(",")}}` : String(cell));
}

const SPECIAL = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escaped = (text: string): string => text.replace(SPECIAL, (sign) => ESCAPES[sign]!);

/** What the driver calls on a query that it did not make itself. */
interface Submitted extends pg.Submittable {
  handleCopyInResponse(connection: Connection & CopyConnection): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

interface CopyConnection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends the lines into a table. The caller keeps them few enough to be held in memory. */
export const copyIn = (client: pg.Client, table: string, columns: readonly string[], lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    let failed: Error | null = null;
    const copy: Submitted = {
      submit: (connection) =>
        (connection as unknown as { query(text: string): void }).query(`COPY ${table} (${columns.join(", ")}) FROM STDIN`),
      handleCopyInResponse(connection) {
        connection.sendCopyFromChunk(Buffer.from(lines.join("")));
        connection.endCopyFrom();
      },
      handleCommandComplete: () => {},
      handleError: (error) => {
        failed = error;
        reject(error);
      },
      handleReadyForQuery: () => {
        if (!failed) resolve();
      },
    };
    client.query(copy);
  });
