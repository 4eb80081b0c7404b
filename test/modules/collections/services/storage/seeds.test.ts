import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { recipeProblems, toLine } from '../../../recipe-problems.ts'
import { connectOwner, startWith } from '../../fixtures.ts'

const TAGS = { fields: { name: { type: 'text', unique: true } }, rows: [{ name: 'New' }, { name: 'Old' }] }
const countries = (name: string) => ({
  scope: 'shared',
  fields: { code: { type: 'text', unique: true }, name: { type: 'text' } },
  rows: [{ code: 'DE', name }, { code: 'AT' }],
})

test('seeds rows with references and a CSV file, and updates shared rows alone', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-seeds-'))
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const seed = join(folder, 'courses.csv')
  await writeFile(seed, 'title,price,published,tags,country\n"First, steps",5,true,New; Old,DE\nSecond,,,,\n')
  const courses = {
    fields: {
      title: { type: 'text', required: true },
      slug: { type: 'slug', from: 'title' },
      price: { type: 'integer' },
      published: { type: 'boolean', default: false },
      tags: { type: 'reference', to: 'tags', many: true },
      country: { type: 'reference', to: 'countries' },
    },
    seed,
  }
  const kernel = await startWith({ courses, tags: TAGS, countries: countries('Germany') })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  const rows = await owner.query(
    `select c.title, c.slug, c.price, c.published, o.name as country,
       array(select t.name from data_courses__tags j join data_tags t on t.id = j.target_id
              where j.row_id = c.id order by j.position) as tags
     from data_courses c left join data_countries o on o.id = c.country order by c.title`,
  )
  t.deepEqual(rows, [
    {
      title: 'First, steps',
      slug: 'first-steps',
      price: '5',
      published: true,
      country: 'Germany',
      tags: ['New', 'Old'],
    },
    { title: 'Second', slug: 'second', price: null, published: false, country: null, tags: [] },
  ])
  await owner.query(`delete from data_courses; update data_tags set name = 'Edited' where name = 'Old'`)
  const again = await startWith(
    { courses, tags: TAGS, countries: countries('Deutschland') },
    { database: kernel.databaseUrl },
  )
  await again.stop()
  t.deepEqual(await owner.query(`select name from data_countries order by code`), [
    { name: null },
    { name: 'Deutschland' },
  ])
  t.deepEqual(await owner.query(`select name from data_tags order by name`), [{ name: 'Edited' }, { name: 'New' }])
  t.deepEqual(await owner.query(`select from data_courses`), [])
})

test('finds a row of a seed whose key was changed', async t => {
  const kernel = await startWith({ tags: { ...TAGS, trash: '30d' }, countries: countries('Germany') })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  await owner.query(`update data_countries set code = 'GER' where code = 'DE'`)
  await owner.query(`update data_tags set deleted_at = now() where name = 'New'`)
  const tags = { ...TAGS, trash: '30d', rows: [...TAGS.rows, { name: 'Third' }] }
  const again = await startWith({ tags, countries: countries('Deutschland') }, { database: kernel.databaseUrl })
  await again.stop()
  t.deepEqual(await owner.query(`select code, name from data_countries order by code`), [
    { code: 'AT', name: null },
    { code: 'DE', name: 'Deutschland' },
  ])
  t.deepEqual(await owner.query(`select name from data_tags where deleted_at is null order by name`), [
    { name: 'Old' },
    { name: 'Third' },
  ])
})

test('seeds no rows of workspaces in production', async t => {
  const kernel = await startWith({ tags: TAGS, countries: countries('Germany') }, { env: { NODE_ENV: 'production' } })
  t.teardown(() => kernel.stop())
  const owner = await connectOwner(t, kernel.databaseUrl)
  t.deepEqual(await owner.query(`select from data_tags`), [])
  t.is((await owner.query(`select from data_countries`)).length, 2)
})

test('refuses a seed file with a number in JSON that would be rounded', async t => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-seed-'))
  t.teardown(() => rm(folder, { recursive: true }))
  const seed = join(folder, 'notes.csv')
  await writeFile(seed, 'data\n"{""id"":1}"\n"{""id"":750727362669608961}"\n')
  await t.throwsAsync(startWith({ notes: { fields: { data: { type: 'json' } }, seed } }), {
    message: /notes\.csv.*row 2: "data" \/id has more digits than a number keeps/s,
  })
})

test('reports invalid rows with their lines', async t => {
  const problems = await recipeProblems(
    t,
    `modules: { identity: {}, collections: {} }
collections:
  tags:
    fields: { name: { type: text, required: true, maxLength: 3 }, price: { type: integer } }
    rows:
      - { name: abcd }
      - { name: a, prize: 3 }
      - { price: 3 }
  notes: { fields: { name: { type: text } }, seed: ./missing.csv }
`,
  )
  t.deepEqual(problems.map(toLine), [
    'error invalid_value recipe.yaml:8:17 "name" must have at most 3 characters',
    'error invalid_value recipe.yaml:9:27 Unknown field "prize" in tags',
    'error invalid_value recipe.yaml:10:9 "name" is required',
    'error invalid_value recipe.yaml:11:52 File not found: ./missing.csv → The path is relative to the recipe',
  ])
})
