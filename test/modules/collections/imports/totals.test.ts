import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'
import { ended, errorsOf, send } from './fixtures.ts'

const access = { read: { 'tenant.member': true }, create: { 'tenant.member': true } }

const { kernel, owner } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, collections: {} },
      collections: {
        sales: {
          fields: {
            name: { type: 'text' },
            kind: { type: 'enum', values: ['a', 'b'] },
            amount: { type: 'money', currency: 'EUR' },
            count: { type: 'number' },
          },
          access,
        },
      },
    },
  },
  { owner: 'owner' },
)

/** A workspace has at most ten imports at a time. */
const check = async (file: string) => {
  const { body } = await send({ url: kernel.url, token: owner.token }, 'sales/imports?dryRun=true', file)
  const { rows } = await ended(owner, 'sales', body.id)
  const errors = await errorsOf(owner, 'sales', body.id)
  return { rows: rows.total, errors: errors.map(({ line, code }) => [line, code]) }
}

for (const [what, file] of [
  ['a total with a label', 'name;kind;amount (EUR)\nTea;a;100,50\nMaps;b;23,00\nTotal;;123,50\n'],
  ['a total without a label', 'name;kind;amount (EUR)\nTea;a;100\nMaps;b;23\n;;123\n'],
  ['a total in a file without other columns', 'name;amount (EUR)\nTea;100\nMaps;23\nGesamtsumme:;123\n'],
  ['a total of a column of decimals', 'name;kind;count\nTea;a;0,1\nMaps;b;0,2\nSum of all;;0,3\n'],
  ['a total that is no sum', 'name;kind;amount (EUR)\nTea;a;100\nMaps;b;23\nSUMME;;146,37\n'],
  ['a total in another script', 'name,count\nTea,100\nMaps,23\n合計,123\n'],
  ['a total after an empty line', 'name;kind;amount (EUR)\nTea;a;100\nMaps;b;23\n;;\nTotal;;123\n\n'],
] as const)
  test.serial(`reports ${what} as the error of its line`, async t => {
    const last = file.trimEnd().split('\n').length
    t.deepEqual((await check(file)).errors, [[last, 'total']])
  })

for (const [what, file] of [
  ['the last row leaves out what others have', 'name;kind;amount (EUR)\nTea;a;100\nMaps;b;23\nPens;;4\n'],
  ['a complete last row has the sum of the others', 'name;kind;count\nTea;a;1\nMaps;b;2\nPens;b;3\n'],
  ['the last row has the number of the only other one', 'name;kind;count\nTea;a;5\nMaps;;5\n'],
  ['a row in the middle is named Total', 'name;count\nTea;100\nTotal;100\nMaps;23\n'],
  ['the last name contains the word', 'name;kind;count\nTea;a;1\nMaps;b;2\nThe Sum of All Fears;;9\n'],
] as const)
  test.serial(`takes all rows if ${what}`, async t => {
    t.deepEqual(await check(file), { rows: 3 - Number(what.includes('only other')), errors: [] })
  })

test.serial('says what to do with a total', async t => {
  const file = 'name;kind;amount (EUR)\nTea;a;100\nMaps;b;23\nTotal;;123\n'
  const { body } = await send({ url: kernel.url, token: owner.token }, 'sales/imports?dryRun=true', file)
  await ended(owner, 'sales', body.id)
  const [error] = await errorsOf(owner, 'sales', body.id)
  t.regex(error?.detail ?? '', /^looks like a total of the rows above/)
})
