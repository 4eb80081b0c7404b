/** A mixed list of operations in one transaction: all or none. */
import type { Deps, Unit } from '@larder-dev/larder/kernel'
import type { Collection, Row } from '../domain/declarations/collection.ts'
import type { View } from '../domain/rights/view.ts'
import type { Operation } from '../domain/rows/named-schemas.ts'
import { uniqueKeys } from '../domain/rows/unique-keys.ts'
import { lockInOrder } from './locked-rows.ts'
import type { RowChanger } from './row-changer.ts'
import type { RowCreator } from './row-creator.ts'
import type { RowRemover } from './row-remover.ts'
import { type RowUpserter, withIndex } from './row-upserter.ts'
import { turnStep } from './unique-values.ts'

export interface RowBatch {
  /** The rows in the order of the operations; null for deleted ones. The errors of problems point to the operation. */
  run(view: View, collection: Collection, operations: readonly Operation[]): Promise<(Row | null)[]>
}

type BatchDeps = Deps<'database'> & {
  readonly creator: RowCreator
  readonly changer: RowChanger
  readonly remover: RowRemover
  readonly upserter: RowUpserter
}

export function createRowBatch({ database, creator, changer, remover, upserter }: BatchDeps): RowBatch {
  async function runOne(view: View, collection: Collection, operation: Operation, index: number): Promise<Row | null> {
    const pointer = `/operations/${index}/data`
    const headers =
      'revision' in operation && operation.revision !== undefined ? { 'if-match': `"${operation.revision}"` } : {}
    switch (operation.action) {
      case 'create': {
        const [row = null] = await creator.create(view, collection, [{ given: operation.data, pointer }])
        return row
      }
      case 'update':
        return changer.update(view, collection, { id: operation.id, given: operation.data, headers, pointer })
      case 'upsert':
        return (await upserter.upsert(view, collection, { by: operation.by, given: operation.data, pointer })).row
      case 'delete':
        await remover.remove(view, collection, { id: operation.id, headers, pointer: `/operations/${index}` })
        return null
    }
  }

  async function lockRows(
    unit: Unit,
    view: View,
    collection: Collection,
    operations: readonly Operation[],
  ): Promise<void> {
    const upserts = operations.flatMap(each =>
      each.action === 'upsert' ? [{ by: each.by, given: each.data, pointer: '' }] : [],
    )
    const rows = operations.filter(each => each.action === 'update' || each.action === 'delete')
    const found = await upserter.reserve(unit, view, collection, upserts)
    await lockInOrder(unit, view, collection, [...rows, ...found.map(id => ({ id, action: 'update' as const }))])
  }

  return {
    run: (view, collection, operations) =>
      database.tenant(view.tenantId).transaction(async unit => {
        if (writesKeys(collection, operations)) await unit.defer([turnStep(view, collection)])
        if (operations.length > 1) await lockRows(unit, view, collection, operations)
        const rows: (Row | null)[] = []
        for (const [index, operation] of operations.entries())
          try {
            rows.push(await runOne(view, collection, operation, index))
          } catch (error) {
            throw withIndex(error, index)
          }
        return rows
      }),
  }
}

/** Whether several operations write values that other rows must not have. */
function writesKeys(collection: Collection, operations: readonly Operation[]): boolean {
  const { noOverlap, capacity } = collection
  const names = new Set([
    ...uniqueKeys(collection).flatMap(({ fields, where }) => [...fields, ...Object.keys(where ?? {})]),
    ...(noOverlap ? [...noOverlap.by, noOverlap.from, noOverlap.to] : []),
    ...(capacity ? [capacity.of, ...Object.keys(capacity.key.where ?? {})] : []),
  ])
  const writes = operations.filter(
    operation => operation.action !== 'delete' && Object.keys(operation.data).some(name => names.has(name)),
  )
  return writes.length > 1
}
