/** Equal texts are equal, whichever of Unicode's forms they arrive in. */
import test from 'ava'
import { withPeople } from '../../../fixtures/with-people.ts'

const [COMPOSED, DECOMPOSED] = ['Café Ågren', 'Café Ågren'.normalize('NFD')]

interface Place {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly kind: string | null
}

const { owner } = withPeople(
  test,
  {
    recipe: {
      modules: { identity: {}, comms: {}, collections: {} },
      collections: {
        places: {
          fields: {
            name: { type: 'text', required: true, unique: true, maxLength: 10 },
            slug: { type: 'slug', from: 'name' },
            kind: { type: 'enum', values: ['Café'.normalize('NFD'), 'Bar'] },
          },
        },
      },
    },
  },
  { owner: 'owner' },
)

const PATH = '/v1/data/places'
const create = (body: object) => owner.post<Place>(PATH, body)
const find = async (query: string) => (await owner.get<{ data: Place[] }>(`${PATH}?${query}`)).body.data

test.serial('a decomposed text is stored composed, and found by both forms', async t => {
  const { status, body } = await create({ name: DECOMPOSED })
  t.is(status, 201)
  t.is(body.name, COMPOSED)
  t.is(body.slug, 'cafe-agren')
  for (const name of [COMPOSED, DECOMPOSED])
    for (const filter of ['filter[name]', 'filter[name][in]', 'filter[name][startsWith]', 'filter[name][contains]'])
      t.is((await find(`${filter}=${encodeURIComponent(name)}`)).length, 1, filter)
})

test.serial('a unique value in another form is taken', async t => {
  for (const name of [COMPOSED, DECOMPOSED]) t.is((await create({ name })).status, 409)
})

test.serial('a value of the recipe is accepted in both forms', async t => {
  for (const kind of ['Café', 'Café'.normalize('NFD')]) {
    const { status, body } = await create({ name: `Place ${kind.length}`, kind })
    t.is(status, 201)
    t.is(body.kind, 'Café')
  }
})
