/** Starts kernels with collections. */
import { fileURLToPath } from 'node:url'
import type { ExecutionContext } from 'ava'
import pg from 'pg'
import { startTestKernel, type TestKernel, type TestKernelOptions } from '../../../testing/index.ts'

export type Test = Pick<ExecutionContext, 'teardown'>
export type Declared = Readonly<Record<string, unknown>>

const MODULES = { identity: {}, billing: {}, collections: {} }

export const recipeWith = (collections: Declared) => ({
  modules: MODULES,
  plans: { free: { name: 'Free', price: 0 } },
  collections,
})

export function startWith(collections: Declared, options: Omit<TestKernelOptions, 'recipe'> = {}): Promise<TestKernel> {
  return startTestKernel({ recipe: recipeWith(collections), role: 'web', ...options })
}

/** The recipe of a module with collections and hooks. */
export const academyRecipe = {
  modules: {
    identity: {},
    collections: {},
    academy: { use: fileURLToPath(new URL('./academy/module.js', import.meta.url)) },
  },
  collections: {
    topics: {
      fields: {
        name: { type: 'text' },
        stage: { type: 'enum', values: ['new', 'kept'], default: 'new', transitions: { new: ['kept'] } },
      },
      access: { create: { 'tenant.member': true } },
    },
    links: { fields: { topic: { type: 'reference', to: 'topics', onDelete: 'clear' } } },
  },
}

export interface Owner {
  query<Row = Record<string, unknown>>(sql: string, values?: readonly unknown[]): Promise<Row[]>
}

/** A connection that sees all rows and can insert any. */
export async function connectOwner(t: Test, url: string): Promise<Owner> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  t.teardown(() => client.end())
  return { query: async (sql, values) => (await client.query(sql, values as unknown[] | undefined)).rows }
}
