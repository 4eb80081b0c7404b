import test from 'ava'
import { formatTraceparent, parseTraceparent } from '../../../services/telemetry/traceparent.ts'

const TRACE = '0af7651916cd43dd8448eb211c80319c'
const SPAN = 'b7ad6b7169203331'

test('reads a traceparent, and writes it again', t => {
  for (const flags of ['00', '01']) {
    const text = `00-${TRACE}-${SPAN}-${flags}`
    const context = parseTraceparent(text)
    t.like(context, { traceId: TRACE, spanId: SPAN, traceFlags: Number(flags), isRemote: true })
    t.is(context && formatTraceparent(context), text)
  }
})

test('reads what a later version adds, and no unknown flag', t => {
  const context = parseTraceparent(`cc-${TRACE}-${SPAN}-03-more`)
  t.is(context && formatTraceparent(context), `00-${TRACE}-${SPAN}-01`)
})

for (const [what, text] of [
  ['nothing', undefined],
  ['two headers', `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['a span of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['capitals', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['a field too many', `00-${TRACE}-${SPAN}-01-more`],
  ['an invalid version', `ff-${TRACE}-${SPAN}-01`],
  ['a short ID', `00-${TRACE.slice(1)}-${SPAN}-01`],
] as const)
  test(`ignores ${what}`, t => {
    t.is(parseTraceparent(text), undefined)
  })
