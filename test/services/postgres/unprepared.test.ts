import test from 'ava'
import { cachedStatement } from '../../../services/postgres/statements.ts'

test('a statement is prepared from its second use on, unless its text is marked as unprepared', t => {
  const texts = ['select 1 as prepared', '/* unprepared */ select 1']
  const [prepared, unprepared] = texts.map(text => {
    cachedStatement(text)
    return cachedStatement(text)
  })
  t.regex(prepared?.name ?? '', /^larder_\d+$/)
  t.like(unprepared, { name: '', isRead: true })
})
