/** Reads the rows of a CSV file in the memory of a few rows. */
import { pipeline, Readable } from 'node:stream'
import { fieldError, type Problem, type Wording, wording } from '@larder-dev/larder/kernel'
import { problems } from '../../problems.ts'
import { MAX_ROW_LENGTH } from './imported-row.ts'

export interface CsvRecord {
  /** Where the record begins. Starts at 1. */
  readonly line: number
  readonly cells: readonly string[]
  /** Whether numbers may have a comma: spreadsheets that write it separate cells with another character. */
  readonly decimalComma: boolean
}

type Text = AsyncIterable<string>

const DELIMITERS = [',', ';', '\t'] as const
const LINE_BREAKS = ['\r\n', '\n', '\r']
/** Lines in which the names of the columns are looked for: spreadsheets have titles above them. */
export const MAX_TITLE_LINES = 5
/** Characters in which the delimiter and the line break are looked for. */
const MAX_HEADER_LENGTH = 64 * 1024

/** Far more than the fields of a collection: each column is compared with the others. */
export const MAX_COLUMNS = 500
export const tooManyColumns = (): Problem => {
  const error = fieldError('/columns', 'too_many', wording('must be at most {limit}', { limit: MAX_COLUMNS }))
  return problems.import_columns_invalid({}, { errors: [error] })
}

/**
 * Records with only empty cells are skipped. Throws `import_malformed`, and `import_columns_invalid` before it reads a line
 * of too many columns to its end.
 */
export async function* csvRecords(text: Text): AsyncGenerator<CsvRecord, void, undefined> {
  const { parse } = await import('csv-parse')
  const { head, rest } = await withHeader(text)
  const { delimiter, columns, lineBreak } = separatorsOf(head)
  if (columns > MAX_COLUMNS) throw tooManyColumns()
  const parser = parse({
    delimiter,
    // Otherwise csv-parse searches from the start of the file with each chunk, until it finds a line break.
    record_delimiter: lineBreak,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: MAX_ROW_LENGTH,
  })
  pipeline(Readable.from(rest), parser, () => undefined)
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>)
      yield { line: info.lines - lineBreaks(record), cells: record, decimalComma: delimiter !== ',' }
  } catch (error) {
    throw toProblem(error)
  }
}

/** Reads on until the first line with a name is complete. */
async function withHeader(text: Text): Promise<{ head: string; rest: Text }> {
  const chunks = text[Symbol.asyncIterator]()
  let head = ''
  let isDone = false
  while (!isDone && !hasNames(head) && head.length < MAX_HEADER_LENGTH) {
    const { value, done } = await chunks.next()
    isDone = done === true
    head += value ?? ''
  }
  const rest = async function* (): AsyncGenerator<string> {
    yield head
    if (!isDone) for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) yield chunk
  }
  return { head, rest: rest() }
}

/** Whether a line with more than delimiters is complete, with both characters of its line break. */
function hasNames(head: string): boolean {
  const start = head.search(/[^\s,;"]/)
  return start >= 0 && /\n|\r[\s\S]/.test(head.slice(start))
}

interface Separators {
  readonly delimiter: string
  readonly columns: number
  readonly lineBreak: string | string[]
}

/**
 * The most frequent delimiter of the first line and the first line break, both outside quotes. Spreadsheets in German write
 * semicolons.
 */
function separatorsOf(head: string): Separators {
  const unquoted = head.replace(/"[^"]*(?:"|$)/g, '""')
  const [lineBreak = LINE_BREAKS] = /\r\n|[\r\n]/.exec(unquoted) ?? []
  const lines = unquoted.split(/[\r\n]+/).filter(line => /[^\s,;]/.test(line))
  // A title above the names has no delimiter.
  const first = lines.slice(0, MAX_TITLE_LINES).find(line => DELIMITERS.some(each => line.includes(each))) ?? ''
  const counts = DELIMITERS.map(delimiter => first.split(delimiter).length)
  const columns = Math.max(...counts)
  return { delimiter: DELIMITERS[counts.indexOf(columns)] ?? ',', columns, lineBreak }
}

const lineBreaks = (cells: readonly string[]): number =>
  cells.reduce((count, cell) => count + (cell.match(/\r\n|[\r\n]/g)?.length ?? 0), 0)

const REASONS: Readonly<Record<string, Wording>> = {
  CSV_QUOTE_NOT_CLOSED: wording('a quoted value is not closed'),
  CSV_INVALID_CLOSING_QUOTE: wording('a quote within a value is not doubled'),
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE: wording('a closing quote is followed by other characters'),
  INVALID_OPENING_QUOTE: wording('a value that does not begin with a quote contains one'),
  CSV_MAX_RECORD_SIZE: wording('a row has more than {limit} characters', { limit: MAX_ROW_LENGTH }),
}

function toProblem(error: unknown): unknown {
  const { code, lines } = error as { readonly code?: string; readonly lines?: number }
  const reason = REASONS[code ?? '']
  return reason === undefined ? error : problems.import_malformed({ line: lines ?? 1, reason })
}
