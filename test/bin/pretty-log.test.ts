import { stripVTControlCharacters } from 'node:util'
import test from 'ava'
import { pino } from 'pino'
import { prettyLine } from '../../bin/pretty-log.ts'

function collect() {
  const lines: string[] = []
  const log = pino(
    { base: undefined, level: 'trace' },
    { write: line => void lines.push(stripVTControlCharacters(prettyLine(line))) },
  )
  return { log, text: () => lines.join('') }
}

test('formats the level, the message and the other fields', t => {
  const { log, text } = collect()
  log.warn({ status: 503, path: '/v1/health' }, 'request failed')
  t.regex(text(), /^\d\d:\d\d:\d\d WARN {2}request failed status=503 path=\/v1\/health\n$/)
})

test('formats the stack of an error on separate lines', t => {
  const { log, text } = collect()
  log.error({ err: new Error('no connection') }, 'start failed')
  t.regex(text(), /ERROR start failed\n {2}Error: no connection\n {6}at /)
})

test('removes control characters', t => {
  const { log, text } = collect()
  log.info({ path: '/\u001b[2J' }, 'a\u0007b')
  t.regex(text(), /a b path=\/ \[2J\n$/)
})
