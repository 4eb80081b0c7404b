import test from 'ava'
import fc from 'fast-check'
import { anyCovers, covers } from '../../../../../../kernel/base/permissions.ts'
import {
  coveringPatterns,
  firstMissing,
  intersectPatterns,
} from '../../../../../../modules/identity/workspaces/roles/domain/permission-patterns.ts'

const part = fc.constantFrom('a', 'b', 'ab')
const permission = fc.tuple(part, part, part).map(parts => parts.join('.'))
const pattern = fc.oneof(
  permission,
  part.map(area => `${area}.*`),
  fc.tuple(part, part).map(([area, resource]) => `${area}.${resource}.*`),
  fc.constant('*'),
)
const patterns = fc.array(pattern, { maxLength: 5 })

test('the intersection covers exactly the permissions that both lists cover', t => {
  fc.assert(
    fc.property(patterns, patterns, permission, (left, right, wanted) => {
      t.is(anyCovers(intersectPatterns(left, right), wanted), anyCovers(left, wanted) && anyCovers(right, wanted))
    }),
  )
})

test('a role without missing permissions adds no permissions', t => {
  fc.assert(
    fc.property(patterns, patterns, permission, (held, role, wanted) => {
      if (firstMissing(held, role) === undefined && anyCovers(role, wanted)) t.true(anyCovers(held, wanted))
      t.pass()
    }),
  )
})

test('the covering patterns of a permission are exactly the patterns that cover it', t => {
  fc.assert(
    fc.property(pattern, permission, (granted, wanted) => {
      t.is(coveringPatterns(wanted).includes(granted), covers(granted, wanted))
    }),
  )
})

test('a narrower pattern never covers a wider one', t => {
  t.true(covers('a.*', 'a.b.*'))
  t.false(covers('a.b.*', 'a.*'))
  t.false(covers('a.*', '*'))
  t.false(covers('a.*', 'ab.c.d'))
  t.is(firstMissing(['a.*', 'b.c.d'], ['a.x.y', 'b.c.*']), 'b.c.*')
})
