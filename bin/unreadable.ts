/** What a database has encrypted with a LARDER_SECRET that is lost. */
import type { SealedColumn } from '../kernel/internal.ts'
import type { Connection } from './database.ts'

export interface Unreadable {
  /** `table.column` */
  readonly column: string
  readonly rows: number
}

/** Counts the values of all modules that are still read. Call it before anything is encrypted with another secret. */
export async function unreadableColumns(
  { db }: Connection,
  columns: readonly SealedColumn[],
): Promise<readonly Unreadable[]> {
  return db.withOwner(async client => {
    const found: Unreadable[] = []
    for (const { table, column, ...rest } of columns) {
      const { rows: tables } = await client.query('select to_regclass($1) is not null as exists', [table])
      if (!tables[0]?.exists) continue
      const condition = 'readWhile' in rest ? `and (${rest.readWhile})` : ''
      const { rows } = await client.query(
        `select count(*)::int as rows from ${table} where ${column} is not null ${condition}`,
      )
      if (rows[0].rows > 0) found.push({ column: `${table}.${column}`, rows: rows[0].rows })
    }
    return found
  })
}

export const unreadableLines = (unreadable: readonly Unreadable[]): string[] =>
  unreadable.length === 0
    ? []
    : [
        'These values can no longer be decrypted:',
        ...unreadable.map(({ column, rows }) => `  ${column}: ${rows} ${rows === 1 ? 'row' : 'rows'}`),
        'See "Lost secret" in docs/troubleshooting.md. Links in sent mail are invalid.',
      ]
