/** Results of statements. */
import { columnParsers } from './timestamps.ts'

/** A column, as the server describes it. */
export interface Field {
  readonly name: string
  readonly dataTypeID: number
}
type Row = Record<string, unknown>

/** How rows of a statement are parsed: the same for all of its results. */
export interface RowShape {
  readonly fields: readonly Field[]
  readonly parsers: readonly ((text: string) => unknown)[]
  /** A copy of it has the properties of a row in their order, so that all rows have one hidden class. */
  readonly empty: Readonly<Row>
}

export function rowShapeOf(fields: readonly Field[]): RowShape {
  const empty: Row = {}
  for (const { name } of fields) empty[name] = null
  return { fields, parsers: fields.map(({ dataTypeID }) => columnParsers.getTypeParser(dataTypeID)), empty }
}

export class StatementResult {
  readonly rows: Row[] = []
  rowCount: number | null = null
  /** `SELECT`, `INSERT`, `COMMIT`, `ROLLBACK`, …; null for an empty statement. */
  command: string | null = null
  /** Undefined for a statement that returns no rows. */
  readonly shape: RowShape | undefined

  constructor(shape: RowShape | undefined) {
    this.shape = shape
  }

  get fields(): readonly Field[] {
    return this.shape?.fields ?? []
  }

  addRow(texts: readonly (string | null)[]): void {
    const { fields, parsers, empty } = this.shape as RowShape
    const row = { ...empty }
    for (let at = 0; at < texts.length; at++) {
      const text = texts[at] as string | null
      if (text !== null) row[(fields[at] as Field).name] = (parsers[at] as RowShape['parsers'][number])(text)
    }
    this.rows.push(row)
  }

  /** @param tag of the command: `SELECT 2`, `INSERT 0 1`, `CREATE TABLE`. */
  complete(tag: string): void {
    const first = tag.indexOf(' ')
    this.command = first < 0 ? tag : tag.slice(0, first)
    const count = first < 0 ? Number.NaN : Number(tag.slice(tag.lastIndexOf(' ') + 1))
    if (!Number.isNaN(count)) this.rowCount = count
  }
}
