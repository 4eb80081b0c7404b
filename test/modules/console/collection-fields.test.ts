/** Fields of collections in the console: filters, forms, cells, previews of files. */
import test from 'ava'
import {
  type Collection,
  conditionOf,
  nextStates,
  operatorsFor,
  parameterOf,
} from '../../../modules/console/app/data/collection.ts'
import {
  commonStates,
  valuesOfScope,
  withCollection,
  withDefaults,
  withStates,
} from '../../../modules/console/app/data/collection-form.ts'
import { parseCsv, previewCsv } from '../../../modules/console/app/data/csv.ts'
import { formBody, formFields, formValues } from '../../../modules/console/app/data/form-model.ts'
import { withRow } from '../../../modules/console/app/data/loaded-rows.ts'

const EQUALITY = ['eq', 'ne', 'in', 'notIn', 'exists']
const collection: Collection = {
  name: 'courses',
  fields: {
    title: { type: 'text', operators: [...EQUALITY, 'contains'], sortable: true },
    price: { type: 'money', operators: [...EQUALITY, 'lte'], sortable: true, currency: 'JPY' },
    level: { type: 'enum', operators: [...EQUALITY, 'gt', 'contains'], sortable: true },
    tags: {
      type: 'reference',
      operators: [...EQUALITY, 'contains'],
      sortable: false,
      reference: { to: 'tags', many: true },
    },
    teacher: { type: 'member', operators: EQUALITY, sortable: false },
  },
}
const text = { type: 'string' }
const orNull = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const schema = {
  type: 'object',
  required: ['title'],
  properties: {
    title: text,
    price: orNull({ type: 'integer' }),
    level: orNull({ type: 'string', enum: ['easy', 'hard'] }),
    tags: orNull({ type: 'array', items: text }),
    teacher: orNull(text),
  },
}
const fields = withCollection(formFields(schema, {}), collection)

test('reads a field and its operator from a parameter, and writes it', t => {
  t.deepEqual(conditionOf('filter[price][lte]'), { field: 'price', operator: 'lte' })
  t.deepEqual(conditionOf('filter[price]'), { field: 'price', operator: 'eq' })
  t.deepEqual(conditionOf('filter[category.name][contains]'), { field: 'category.name', operator: 'contains' })
  t.deepEqual(conditionOf('or[1][price][lte]'), { field: 'price', operator: 'lte', group: 1 })
  t.deepEqual(conditionOf('filter[not][price]'), { field: 'price', operator: 'eq', isExcluded: true })
  t.deepEqual(conditionOf('or[0][not][price][lte]'), { field: 'price', operator: 'lte', group: 0, isExcluded: true })
  for (const other of ['q', 'filter[a.b.c]', 'filter[a][b][c]', 'or[a][b]']) t.is(conditionOf(other), undefined)
  for (const parameter of [
    'filter[price]',
    'filter[category.name][lte]',
    'or[0][price]',
    'or[2][category.name][lte]',
    'filter[not][price][lte]',
    'or[1][not][price]',
  ]) {
    const condition = conditionOf(parameter)
    t.is(condition && parameterOf(condition), parameter)
  }
})

test('offers the usual operator of a field first, and no lists where one value is chosen', t => {
  const offered = (name: string) => {
    const field = collection.fields[name]
    return field && operatorsFor(field)
  }
  t.is(offered('title')?.[0], 'contains')
  t.is(offered('price')?.[0], 'eq')
  t.deepEqual(offered('teacher'), ['eq', 'ne', 'exists'])
  t.deepEqual(offered('level'), EQUALITY)
})

test('a form chooses references and members, and shows amounts in their currency', t => {
  t.deepEqual(
    fields.map(({ kind }) => kind),
    ['text', 'money', 'enum', 'reference', 'member'],
  )
  const values = formValues(fields, { title: 'Sums', price: 4900, tags: ['tag_1'], teacher: null, level: null })
  t.deepEqual(values, { title: 'Sums', price: '4900', tags: ['tag_1'], teacher: '', level: '' })
  const euro = formFields({ properties: { price: { type: 'integer' } } }, {})
  const priced = withCollection(euro, {
    ...collection,
    fields: { price: { type: 'money', operators: [], sortable: true, currency: 'EUR' } },
  })
  t.is(formValues(priced, { price: 4900 }).price, '49.00')
  t.is(formBody(priced, { price: '1234.5' }).body.price, 123_450)
})

test('a text that a row must have can’t be cleared, another one becomes null', t => {
  const texts = withCollection(formFields({ properties: { title: text, level: orNull(text) } }, {}), collection)
  const before = formValues(texts, { title: 'Tea', level: 'easy' })
  t.deepEqual(formBody(texts, { title: '', level: '' }, before), {
    body: { level: null },
    invalid: [{ pointer: '/title', reason: 'required' }],
  })
})

test('an enum that may be empty doesn’t offer null', t => {
  t.deepEqual(fields.find(({ name }) => name === 'level')?.options, ['easy', 'hard'])
  const [level] = formFields({ properties: { level: { type: ['string', 'null'], enum: ['easy', null] } } }, {})
  t.like(level, { options: ['easy'], nullable: true })
})

test('sends chosen rows, and null for a reference that was emptied', t => {
  const before = formValues(fields, { title: 'Sums', tags: ['tag_1'], teacher: 'mem_1' })
  t.deepEqual(formBody(fields, { ...before, tags: ['tag_1', 'tag_2'] }, before).body, { tags: ['tag_1', 'tag_2'] })
  t.deepEqual(formBody(fields, { ...before, tags: [], teacher: '' }, before).body, { tags: null, teacher: null })
  t.deepEqual(formBody(fields, { title: 'Sums', tags: [], teacher: '' }).body, { title: 'Sums' })
})

test('a new row of a related list refers to the row of the list', t => {
  t.deepEqual(valuesOfScope(fields, { 'filter[tags][contains]': 'tag_1', 'filter[level]': 'easy', id: 'x' }), {
    tags: ['tag_1'],
  })
})

test('a saved row replaces the loaded one', t => {
  const loaded = { pages: [{ data: [{ id: 'a', title: 'Old', score: 2 }] }, { data: [{ id: 'b', title: 'Other' }] }] }
  t.deepEqual(
    withRow(loaded, row => row.id === 'a', { id: 'a', title: 'New' }),
    { pages: [{ data: [{ id: 'a', title: 'New', score: 2 }] }, { data: [{ id: 'b', title: 'Other' }] }] },
  )
})

test('reads the first rows of CSV with quotes, other separators and UTF-16', async t => {
  t.deepEqual(parseCsv('a,b\r\n"x, ""y""\nz",2\n', 5), [
    ['a', 'b'],
    ['x, "y"\nz', '2'],
  ])
  t.deepEqual(parseCsv('a;b\n1,5;2', 5), [
    ['a', 'b'],
    ['1,5', '2'],
  ])
  t.is(parseCsv('a\n1\n2\n3', 2).length, 2)
  const bytes = Buffer.from('\uFEFFa\tü\n1\t2\n', 'utf16le')
  const expected = { header: ['a', 'ü'], rows: [['1', '2']], decimalComma: true }
  t.deepEqual(await previewCsv(new Blob([bytes]), () => true), expected)
  const titled = new Blob(['Sales\n\na;ü\n1;2\n'])
  t.deepEqual(await previewCsv(titled, cells => cells.includes('a')), expected, 'below a title')
})

const STATES = {
  type: 'enum',
  operators: [],
  sortable: true,
  states: {
    initial: ['open'],
    transitions: { open: ['waiting', 'spam'], waiting: ['open'] },
    roles: { spam: ['tenant.agent'] },
  },
}

test('offers the states that follow, to the roles that may choose them', t => {
  t.deepEqual(nextStates(STATES, 'open', ['tenant.member']), ['waiting'])
  t.deepEqual(nextStates(STATES, 'open', ['tenant.agent']), ['waiting', 'spam'])
  t.deepEqual(nextStates(STATES, 'open', ['tenant.owner']), ['waiting', 'spam'])
  t.deepEqual(nextStates(STATES, null, []), ['open'])
  for (const final of ['spam', 'gone', 'constructor']) t.deepEqual(nextStates(STATES, final, []), [])
  t.deepEqual(nextStates({ type: 'enum', operators: [], sortable: true }, 'open', []), [])
})

test('the form of a new row offers the first states, and that of a row has no state', t => {
  const form = (initial: readonly string[]) => {
    const states = { ...STATES, states: { ...STATES.states, initial } }
    return withCollection(formFields(schema, {}), { fields: { ...collection.fields, level: states } })
  }
  const shown = (initial: readonly string[], isNew: boolean) =>
    withStates(form(initial), isNew).find(({ name }) => name === 'level')?.options
  t.deepEqual(shown(['easy', 'hard'], true), ['easy', 'hard'])
  t.is(shown(['easy'], true), undefined)
  const required = withCollection(formFields({ ...schema, required: ['level'] }, {}), {
    fields: { ...collection.fields, level: { ...STATES, states: { ...STATES.states, initial: ['easy'] } } },
  })
  t.deepEqual(withStates(required, true).find(({ name }) => name === 'level')?.options, ['easy'])
  t.is(shown(['easy', 'hard'], false), undefined)
})

test('the form of a new row begins with the default, and says where others come from', t => {
  const sources = {
    title: { type: 'text', operators: [], sortable: true, default: 'New' },
    level: { ...STATES, defaultFrom: 'expression', onUpdate: '$now' },
  }
  const form = withCollection(formFields(schema, {}), { fields: { ...collection.fields, ...sources } })
  const words = { expression: 'Computed.', onUpdate: 'Set by changes.' }
  const field = (isNew: boolean, name: string) =>
    withDefaults(form, isNew, words).find(each => each.name === name) ?? form[0]
  t.is(formValues([field(true, 'title')].filter(each => each !== undefined)).title, 'New')
  t.regex(field(true, 'level')?.description ?? '', /Computed\.$/)
  t.is(formValues([field(false, 'title')].filter(each => each !== undefined)).title, '')
  t.regex(field(false, 'level')?.description ?? '', /Set by changes\.$/)
})

test('several rows are offered the states that follow all of theirs, to the roles that may choose them', t => {
  const form = withCollection(formFields(schema, {}), { fields: { ...collection.fields, level: STATES } })
  const offered = (states: readonly string[], role: string) =>
    commonStates(
      form,
      states.map(level => ({ level })),
      [role],
    ).map(({ options }) => options)
  t.deepEqual(offered(['open', 'open'], 'tenant.member'), [['waiting']])
  t.deepEqual(offered(['open', 'open'], 'tenant.agent'), [['waiting', 'spam']])
  t.deepEqual(offered(['open', 'spam'], 'tenant.owner'), [])
})
