/** Reads the lines of an NDJSON file. A line that is not a JSON object becomes a row with an error. */
import { type FieldError, isRecord, Problem, placedWording, type Wording, wording } from '@larder-dev/larder/kernel'
import { parseJson } from '@larder-dev/larder/kernel/internal'
import { problems } from '../../problems.ts'
import { type ImportedRow, MAX_ROW_LENGTH } from './imported-row.ts'

/** Throws `import_malformed` for a line that is too long. */
export async function* ndjsonRows(text: AsyncIterable<string>): AsyncGenerator<ImportedRow, void, undefined> {
  let rest = ''
  let line = 0
  for await (const chunk of text) {
    // Only the new text is searched, however small the chunks of a long line are.
    const [end = '', ...lines] = chunk.split('\n')
    rest += end
    if (lines.length > 0) {
      lines.unshift(rest)
      rest = lines.pop() ?? ''
    }
    for (const each of lines) {
      line++
      if (each.trim() !== '') yield rowOf(each, line)
    }
    if (rest.length > MAX_ROW_LENGTH) throw tooLong(line + 1)
  }
  if (rest.trim() !== '') yield rowOf(rest, line + 1)
}

const tooLong = (line: number) =>
  problems.import_malformed({
    line,
    reason: wording('a row has more than {limit} characters', { limit: MAX_ROW_LENGTH }),
  })

function rowOf(text: string, line: number): ImportedRow {
  if (text.length > MAX_ROW_LENGTH) throw tooLong(line)
  try {
    const value = parseJson(Buffer.from(text))
    if (isRecord(value)) return { line, values: value }
    return broken(line, wording('must be a JSON object'))
  } catch (error) {
    if (!Problem.is(error)) throw error
    const [first] = (error.extras.errors ?? []) as FieldError[]
    return broken(line, first ? placedWording(first) : wording('must be valid JSON'))
  }
}

const broken = (line: number, text: Wording): ImportedRow => ({
  line,
  values: {},
  error: { column: null, code: 'malformed', wording: text },
})
