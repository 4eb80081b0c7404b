/** Collections and hooks used rightly. */
import { type Deps, defineModule, listener } from '../../kernel/index.ts'
import type {} from '../../modules/billing/ports.ts'
import {
  type ChangeOf,
  defineCollection,
  type EventsOf,
  type HookValues,
  type NewRowOf,
  type RowOf,
  rowHooks,
} from '../../modules/collections/domain/declarations/define-collection.ts'
import type {} from '../../modules/collections/ports.ts'
import type {} from '../../modules/identity/ports.ts'
import type {} from '../../modules/media/ports.ts'
import type {} from '../../services/caches/ports.ts'
import type {} from '../../services/http/ports.ts'
import type {} from '../../services/jobs/ports.ts'
import type {} from '../../services/outbox/ports.ts'
import type {} from '../../services/postgres/ports.ts'
import type {} from '../../services/templates/ports.ts'
import type {} from '../../services/topics/ports.ts'

declare module '../../modules/collections/domain/declarations/define-collection.ts' {
  /** As `larder types` writes it. */
  interface RecipeCollections {
    readonly topics: {
      readonly fields: {
        readonly name: { readonly type: 'text'; readonly required: true }
        readonly level: {
          readonly type: 'enum'
          readonly values: readonly ['low', 'high']
          readonly transitions: { low: ['high'] }
        }
        readonly number: { readonly type: 'text'; readonly sequence: 'T-{0000}' }
        readonly since: { readonly type: 'date'; readonly required: true; readonly default: '$today' }
        readonly size: { readonly type: 'computed'; readonly expression: 'length(name)'; readonly of: 'integer' }
      }
    }
  }
}
export const topicHooks = rowHooks('topics', {
  beforeCreate: ({ values }) => ({ level: values.level ?? ('low' as const) }),
  afterUpdate: ({ row, changed }) => void (changed.includes('level') && row.size?.toFixed()),
})
/** The values of other names have no types. */
export const otherHooks = rowHooks('others', { afterCreate: ({ row }) => void row.anything })

export const books = defineCollection({
  name: 'books',
  fields: {
    title: { type: 'text', required: true },
    isbn: { type: 'text', required: true, writeOnce: true, unique: true },
    genre: { type: 'enum', values: ['novel', 'poetry'], default: 'novel', transitions: { novel: ['poetry'] } },
    price: { type: 'money', currency: 'EUR' },
    code: { type: 'text', required: true, readOnly: true },
    author: { type: 'reference', to: 'authors', required: true },
    tags: { type: 'reference', to: 'tags', many: true },
    extra: { type: 'json' },
    secret: { type: 'text', private: true },
    number: { type: 'text', sequence: 'B-{000}' },
    added: { type: 'datetime', required: true, default: '$now' },
    due: { type: 'date', required: true, default: { expression: 'today() + 14' } },
    gross: { type: 'computed', of: 'integer', expression: 'price * 2' },
  },
  search: ['title'],
  unique: [['author', 'title']],
  access: { read: { anyone: { genre: 'novel', 'author.name': { exists: true } }, 'tenant.member': true } },
  trash: '30d',
})
declare module '@larder-dev/larder/kernel' {
  interface Events extends EventsOf<typeof books> {}
}

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const equal = <A, B>(same: Equal<A, B>): Equal<A, B> => same
type Flat<T> = { [K in keyof T]: T[K] }

interface Book {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly createdBy: string | null
  readonly revision: number
  readonly title: string
  readonly isbn: string
  readonly genre: 'novel' | 'poetry' | null
  readonly price: number | null
  readonly code: string
  readonly author: string
  readonly tags: readonly string[]
  readonly extra: unknown
  readonly secret: string | null
  readonly number: string
  readonly added: string
  readonly due: string
  readonly gross: number | null
}
equal<Flat<RowOf<typeof books>>, Flat<Book>>(true)
export const added: NewRowOf<typeof books> = { title: 'Emma', isbn: '1', author: 'author_1', genre: null }
export const change: ChangeOf<typeof books> = { title: 'Emma', price: null, tags: [] }
export const set: HookValues<typeof books> = { code: 'E', isbn: '2', title: null }

export const hooks = ({ collections }: Deps<'collections'>) => [
  rowHooks(books, {
    async beforeCreate({ values, tenantId, caller }) {
      const { data } = await collections.rows(books, { tenantId, caller }).list({ filter: { price: { gt: 1 } } })
      const titles: string[] = data.map(({ title }) => title)
      return { code: `${values.title?.length}${titles.length}` }
    },
    beforeUpdate: ({ before, changed }) => (changed.includes('price') ? { code: before.code } : undefined),
    compute: ({ values: { price } }) => ({ secret: price === null ? null : price.toFixed() }),
    validate: ({ values }) => ({ price: (values.price ?? 0) < 0 ? 'must not be negative' : undefined }),
    async afterDelete({ row }) {
      row.title.trim()
    },
  }),
  rowHooks('authors', { afterCreate: ({ row }) => void row.id.trim() }),
]
export default defineModule({
  name: 'library',
  needs: ['collections'],
  collections: [books],
  rowHooks: hooks,
  listeners: () => [
    // The events of a collection of the recipe.
    listener('collections.topics.created', async ({ payload: { row } }) => {
      const level: 'low' | 'high' | null = row.level
      void [row.name.trim(), level]
    }),
    listener('collections.topics.updated', async ({ payload: { row, changed } }) => void [row.name, changed.length]),
    listener('collections.topics.level.high', async ({ payload: { row, changed } }) => void [row.name, changed.length]),
    listener('collections.books.genre.poetry', async ({ payload: { row } }) => void row.title.trim()),
    listener('collections.books.updated', async ({ payload: { row, changed } }) => void [row.title.trim(), changed]),
  ],
})
