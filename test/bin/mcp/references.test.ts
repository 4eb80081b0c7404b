import test from 'ava'
import { withReferences } from '../../../bin/mcp/references.ts'

const document = {
  components: {
    schemas: {
      Page: { items: { $ref: '#/components/schemas/Row' } },
      Row: { parent: { $ref: '#/components/schemas/Row' }, 'a/b': 1 },
      Other: {},
    },
  },
}

test('adds the definitions that a part refers to, directly and through others', t => {
  t.deepEqual(withReferences({ reply: [{ $ref: '#/components/schemas/Page' }] }, document), {
    reply: [{ $ref: '#/components/schemas/Page' }],
    references: {
      '#/components/schemas/Page': document.components.schemas.Page,
      '#/components/schemas/Row': document.components.schemas.Row,
    },
  })
})

test('leaves a part without references as it is', t => {
  t.deepEqual(withReferences({ type: 'string' }, document), { type: 'string' })
})

test('resolves escaped pointers', t => {
  const { references } = withReferences({ $ref: '#/components/schemas/Row/a~1b' }, document)
  t.deepEqual(references, { '#/components/schemas/Row/a~1b': 1 })
})
